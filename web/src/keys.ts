/** Shortcuts of one key: off while somebody writes, in a dialog, or where they are switched off. */

import { preferences } from './preferences.svelte';

const WRITING = 'input, textarea, select, [contenteditable]';

/** The key of an event in small letters; null when it is not meant as a shortcut. */
export function shortcut(event: KeyboardEvent): string | null {
  const at = event.target instanceof Element ? event.target : null;
  if (!preferences.shortcuts || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return null;
  if (at?.closest(WRITING) || document.querySelector('dialog[open]')) return null;
  return event.key.length === 1 ? event.key.toLowerCase() : event.key;
}
