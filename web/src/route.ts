/** Paths of the screens. */

export type Screen = 'lobby' | 'sign-in' | 'setup' | 'table' | 'inbox' | 'sign' | 'administration' | 'cage' | 'pit' | 'reports' | 'practice' | 'practice-table' | 'practice-dealer' | 'recall' | 'round' | 'audit' | 'studio' | 'training' | 'training-session' | 'exam' | 'learn' | 'lessons' | 'instructor' | 'unknown';

export interface Route {
  screen: Screen;
  /** The name of the table or link. */
  of: string;
  /** The round of a table that is recalled. */
  number?: number;
}

const PLAIN: Record<string, Screen> = {
  '': 'lobby',
  'sign-in': 'sign-in',
  setup: 'setup',
  inbox: 'inbox',
  administration: 'administration',
  cage: 'cage',
  pit: 'pit',
  reports: 'reports',
  practice: 'practice',
  audit: 'audit',
  training: 'training',
  learn: 'learn',
  instructor: 'instructor',
  studio: 'studio',
};
const NUMBER = /^[1-9]\d{0,11}$/;

/** The route of a path. */
export function routeOf(path: string): Route {
  const [first = '', second = '', ...rest] = path.split('/').filter(Boolean).map(decoded);
  if (rest.length === 0 && first === 'tables' && second) return { screen: 'table', of: second };
  if (rest.length === 0 && first === 'sign' && second) return { screen: 'sign', of: second };
  if (first === 'practice' && second && rest.length === 0) return { screen: 'practice-table', of: second };
  if (first === 'practice' && second && rest.join() === 'dealer') return { screen: 'practice-dealer', of: second };
  if (first === 'training' && second && rest.length === 0) return { screen: 'training-session', of: second };
  if (first === 'training' && second && rest.join() === 'exam') return { screen: 'exam', of: second };
  if (first === 'learn' && second && rest.length === 0) return { screen: 'lessons', of: second };
  if (first === 'recall' && second) {
    const [number = '', ...more] = rest;
    if (!number) return { screen: 'recall', of: second };
    if (NUMBER.test(number) && !more.length) return { screen: 'round', of: second, number: Number(number) };
  }
  const screen = second || rest.length ? undefined : PLAIN[first];
  return { screen: screen ?? 'unknown', of: '' };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
