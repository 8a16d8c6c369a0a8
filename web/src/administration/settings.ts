/** Settings of meters as they are typed, and as they are sent. */

import type { Level, SettingsView } from '../api';
import { plain, percent, readDollars, readPercent } from '../money';

export interface Typed {
  level: Level;
  contribution: string;
  reserve: string;
  seed: string;
  cap: string;
}

export function typed(level: Level, settings: SettingsView | null): Typed {
  return {
    level,
    contribution: settings ? percent(settings.contribution_ppm) : '',
    reserve: settings ? percent(settings.reserve_ppm) : '0%',
    seed: settings ? plain(settings.meter_seed_cents) : '',
    cap: settings && settings.cap_cents !== null ? plain(settings.cap_cents) : '',
  };
}

/** What is sent for each level; null when something that was typed is no rate or no amount. */
export function read(lines: Typed[]): Record<string, SettingsView> | null {
  const found: Record<string, SettingsView> = {};
  for (const line of lines) {
    const contribution_ppm = readPercent(line.contribution);
    const reserve_ppm = readPercent(line.reserve);
    const meter_seed_cents = readDollars(line.seed);
    const cap_cents = line.cap.trim() ? readDollars(line.cap) : null;
    if (contribution_ppm === null || reserve_ppm === null || meter_seed_cents === null) return null;
    if (line.cap.trim() && cap_cents === null) return null;
    found[line.level] = { contribution_ppm, reserve_ppm, meter_seed_cents, cap_cents };
  }
  return found;
}
