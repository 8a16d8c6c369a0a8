/** Times: the journal's are UTC, people see their own clock with UTC beside it. */

const LOCAL = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

/** Times of the journal are UTC, with or without saying so. */
function moment(at: string): Date {
  return new Date(/Z|[+-]\d\d:\d\d$/.test(at) ? at : `${at}Z`);
}

/** "16 Nov 2026, 21:14:05". */
export function local(at: string): string {
  return LOCAL.format(moment(at));
}

/** The same as a clock shows it elsewhere, such as where the floor is. */
export function zoned(at: string, zone: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: zone }).format(moment(at));
}

/** "21:14:05". */
export function clock(at: string): string {
  return CLOCK.format(moment(at));
}

/** "2026-11-16 20:14:05 UTC". */
export function utc(at: string): string {
  return `${moment(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Seconds from one moment to another, never below 0. */
export function secondsBetween(from: string, to: number): number {
  return Math.max(0, Math.floor((to - moment(from).getTime()) / 1000));
}

/** How far the clock of the server is ahead of ours, in milliseconds. */
export function offset(now: string, here: number): number {
  return moment(now).getTime() - here;
}

/** "00:41", "12:05", "1:02:41". */
export function elapsed(seconds: number): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${two(minutes)}:${two(seconds % 60)}`;
}
