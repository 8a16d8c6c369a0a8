/** What an item of the inbox is, in a line. */

import type { InboxItem } from '../api';
import { dollars } from '../money';
import { local } from '../time';
import { words } from '../words';

export function summary(item: InboxItem): string {
  const w = words.inbox;
  switch (item.kind) {
    case 'call':
      return `${words.console.call.name(item.name)}${item.text ? `: ${item.text}` : ''}`;
    case 'award':
    case 'pay':
      return `${words.position(item.position)}: ${item.name}, ${dollars(item.amount_cents)}${paged(item.page)}`;
    case 'camera':
      return `${words.position(item.position)}: ${dollars(item.cents)}${item.page === null ? ` ${w.cameraFor(item.from)}` : paged(item.page)}`;
    case 'cheque':
      return `${item.page === null ? `${w.slip} ${item.slip}` : `${w.page} ${item.page}`}, ${dollars(item.amount_cents)}, ${w.due.toLowerCase()} ${local(item.due)}`;
    case 'slip':
      return `${w.slip} ${item.slip}, ${dollars(item.amount_cents)}`;
    case 'ruling':
      return item.text;
    case 'deposit':
      return item.short_cents ? `${w.short}: ${dollars(item.short_cents)}` : `${w.due} ${local(item.due)}`;
  }
}

/** A position may have won in an earlier round too: the page tells them apart. */
function paged(page: number | null): string {
  return page === null ? '' : ` · ${words.console.award.page(page)}`;
}
