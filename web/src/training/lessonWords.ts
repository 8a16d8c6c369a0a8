/** All words of lessons and of what a meter is worth. */

const CENTS = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** "12.34 cents", whether they cost or gain. */
function cents(edge: number): string {
  return `${CENTS.format(Math.abs(edge) * 100)} cents`;
}

export const lessonWords = {
  step: (number: number, of: number) => `Lesson ${number} of ${of}`,
  back: 'Back',
  next: 'Next lesson',
  done: 'To the questions',
  keys: { back: 'B', next: 'N' },
  pays: 'What it comes to',
  example: 'An example, dealt and settled',
  lines: 'How each bet is settled',
  outcome: { win: 'wins', lose: 'loses', push: 'is returned', forfeit: 'is given up' } as Record<string, string>,
  hand: (number: number) => `hand ${number}`,
  together: 'Together',
  check: 'Check what you have read',
  clauses: 'Clauses behind it',
  meter: {
    title: 'What a meter is worth',
    intro: (wager: string) => `Move a meter and see what a dollar on the progressive costs on average, with a wager of ${wager}.`,
    others: 'Other lit hands at the table',
    othersHint: 'When one of them makes one of the best hands you are paid envy, so each gives a little back.',
    fair: (amount: string) => `fair at ${amount}`,
    now: (name: string, amount: string) => `${name}: ${amount}`,
    scale: (name: string, now: string, fair: string) => `${name} shows ${now}; the wager is fair at ${fair}.`,
    costs: (edge: number) => `A dollar costs ${cents(edge)} on average.`,
    gains: (edge: number) => `A dollar gains ${cents(edge)} on average.`,
    even: 'A dollar costs nothing on average.',
    rare: (rounds: string) => `Either way it is paid only once in ${rounds} rounds, and a whole meter far more rarely.`,
    worse: 'worse than fair',
    better: 'better than fair',
    fairNow: 'fair',
  },
};

/** The edge in words; what is not a hundredth of a cent is nothing. */
export function edgeWords(edge: number): string {
  const w = lessonWords.meter;
  if (Math.abs(edge) < 0.00005) return w.even;
  return edge > 0 ? w.costs(edge) : w.gains(edge);
}
