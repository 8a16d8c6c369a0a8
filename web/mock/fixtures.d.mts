export const tables: Record<string, unknown>;
