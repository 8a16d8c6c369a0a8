/** Cents as people write them, and back. */

const WHOLE = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** "$1,234.56"; "-$5.00". */
export function dollars(cents: number): string {
  return `${cents < 0 ? '-' : ''}$${WHOLE.format(Math.abs(cents) / 100)}`;
}

/** "+$25.00", "-$5.00", "$0.00". */
export function signed(cents: number): string {
  return cents > 0 ? `+${dollars(cents)}` : dollars(cents);
}

/** Dollars as a round file writes them: "10", "2.50", "-5". */
export function plain(cents: number): string {
  const size = Math.abs(cents);
  const text = size % 100 === 0 ? String(size / 100) : `${Math.floor(size / 100)}.${String(size % 100).padStart(2, '0')}`;
  return cents < 0 ? `-${text}` : text;
}

/** "+10", "-5", "+2.50". */
export function plainSigned(cents: number): string {
  return cents < 0 ? plain(cents) : `+${plain(cents)}`;
}

/** The cents of "1,234.56", "$5" or "-2.5"; null when it is no amount. */
export function readDollars(text: string): number | null {
  const found = text.trim().match(/^([+-]?)\$?(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2}))?$/);
  if (!found) return null;
  const [, sign, whole = '', part = ''] = found;
  const cents = Number(whole.replaceAll(',', '')) * 100 + Number(part.padEnd(2, '0'));
  return sign === '-' ? -cents : cents;
}

/** "26.5%" of 265000 parts per million. */
export function percent(ppm: number): string {
  return `${ppm / 10_000}%`;
}

/** "25.1267%" of the text of a fraction, such as "555301/2210000". */
export function fractionPercent(text: string, places = 4): string {
  const [whole = '0', of = '1'] = text.split('/');
  return `${((Number(whole) / Number(of)) * 100).toFixed(places)}%`;
}

/** Parts per million of "26.5" or "26.5%"; null when it is no rate. */
export function readPercent(text: string): number | null {
  const found = text.trim().match(/^(\d{1,3})(?:\.(\d{1,4}))?%?$/);
  if (!found) return null;
  const [, whole = '', part = ''] = found;
  return Number(whole) * 10_000 + Number(part.padEnd(4, '0'));
}
