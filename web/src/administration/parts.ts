/** Parts of a piece of equipment as they are typed, and as they are sent. */

export interface TypedPart {
  /** Tells lines apart while their names are still typed. */
  key: number;
  name: string;
  version: string;
}

export function typedParts(parts: Record<string, string>): TypedPart[] {
  return Object.entries(parts).map(([name, version], key) => ({ key, name, version }));
}

/** The lines with an empty one more. */
export function onePartMore(lines: TypedPart[]): TypedPart[] {
  return [...lines, { key: Math.max(-1, ...lines.map((line) => line.key)) + 1, name: '', version: '' }];
}

/** Versions by name; null when a part is named twice, as only one of them would be kept. */
export function readParts(lines: TypedPart[]): Record<string, string> | null {
  const found = Object.fromEntries(lines.map((line) => [line.name.trim(), line.version.trim()]));
  return Object.keys(found).length === lines.length ? found : null;
}
