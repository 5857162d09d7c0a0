// The worklist: what to look at first, with the possible actions.

const ENTRIES_AT_ONCE = 20;
const MEMBERS_AT_ONCE = 6;
const SNIPPET = 40;

let shownEntries = [];
let entriesDrawn = 0;

// The text around a word of the search, if neither the name nor the title has the word.
const snippetOf = (item) => {
  const word = view.words.toLowerCase().split(/\s+/).find(Boolean);
  if (!word || `${item.name}\n${item.title || ''}`.toLowerCase().includes(word)) return null;
  const text = document.readyState !== 'loading' && textOf(item);
  const lower = text && text.toLowerCase();
  if (!lower || lower.length !== text.length) return null;
  const at = lower.indexOf(word);
  if (at < 0) return null;
  const part = (from, to) => textNodes(text.slice(from, to).replace(/\s+/g, ' '));
  return el('p', { class: 'snippet', lang: item.lang }, '… ', part(Math.max(0, at - SNIPPET), at),
    el('mark', {}, part(at, at + word.length)), part(at + word.length, at + word.length + SNIPPET), ' …');
};

const pageLine = (item, other, pair) =>
  el('li', { class: 'page' },
    el('div', { class: 'page-text' }, nameOf(item, other), titleOf(item), snippetOf(item)),
    el('div', { class: 'page-tools' }, fileTools(item),
      pair ? el('button', { type: 'button', class: 'quiet small compare', onclick: () => openPair(pair, true), 'aria-label': t`Compare ${other.name} and ${item.name}` }, t`Compare`) : null));

const memberLine = ({ item, pair }) => pageLine(item, pair.a === item ? pair.b : pair.a, pair);

const membersOf = (entry) => {
  const list = el('ul', { class: 'pages' }, pageLine(entry.first, entry.members[0].item, null));
  const { members } = entry;
  const add = (from, to) => list.append(...members.slice(from, to).map(memberLine));
  add(0, members.length <= MEMBERS_AT_ONCE + 1 ? members.length : MEMBERS_AT_ONCE);
  const left = members.length + 1 - list.children.length;
  if (!left) return list;
  const more = el('button', { type: 'button', class: 'fold', onclick: () => {
    const at = list.children.length;
    add(at - 1, members.length);
    more.remove();
    list.children[at]?.querySelector('button')?.focus();
  } }, t`Show ${counted(left, 'more page', 'more pages')}`);
  return [list, more];
};

const drawEntry = (entry) => {
  const box = el('li', { class: 'entry', 'data-relation': RELATIONS[entry.relation], 'data-kind': entry.kind, tabindex: -1 });
  const some = entry.members.map(({ pair }) => pair);
  const decided = (state) => { box.dataset.decided = state; };
  box.append(
    el('div', { class: 'entry-head' },
      el('span', { class: 'rank' }, count(entry.number + 1)), badge(entry.relation),
      el('span', { class: 'sentence' }, textNodes(entry.sentence)),
      entry.isSum ? el('span', { class: 'gain' }, counted(entry.stands, 'pair'))
        : [el('span', { class: 'gain' }, explained('gain', t`saves`), ' ', inWords(entry.gain)), decisionControls(some, t`entry ${entry.number + 1}`, decided)]));
  if (entry.isSum) {
    const details = el('details', {}, el('summary', {}, entry.kind !== 'short' ? t`The pages, each with the one that is most like it` : t`The first of them`));
    details.addEventListener('toggle', () => details.append(...[membersOf(entry)].flat()), { once: true });
    box.append(details);
  } else {
    box.append(...[membersOf(entry)].flat());
    decided(decisionOnAll(some).state);
  }
  return box;
};

const drawMoreEntries = (most) => {
  const list = $('entries');
  const next = shownEntries.slice(entriesDrawn, entriesDrawn + most);
  list.append(...next.map(drawEntry));
  entriesDrawn += next.length;
  const left = shownEntries.length - entriesDrawn;
  const more = $('more-entries');
  more.hidden = !left;
  more.textContent = t`Show ${count(Math.min(left, ENTRIES_AT_ONCE))} more of ${count(left)}`;
  return next.length;
};

const redrawEntries = () => {
  shownEntries = listedEntries();
  entriesDrawn = 0;
  $('entries').replaceChildren();
  drawMoreEntries(ENTRIES_AT_ONCE);
};

// Moves the focus from entry to entry.
const stepEntry = (by) => {
  const all = [...$('entries').children];
  const at = all.indexOf(document.activeElement?.closest('.entry'));
  if (by > 0 && at === all.length - 1 && drawMoreEntries(ENTRIES_AT_ONCE)) return stepEntry(by);
  const to = all[Math.max(0, Math.min(all.length - 1, at < 0 ? 0 : at + by))];
  to?.focus();
  to?.scrollIntoView({ block: 'nearest' });
};

const openEntry = () => document.activeElement?.closest('.entry')?.querySelector('.compare')?.click();

const worklistBox = () => el('div', { id: 'work' },
  el('ol', { id: 'entries' }),
  el('button', { type: 'button', class: 'quiet', id: 'more-entries', hidden: true, onclick: () => {
    const at = entriesDrawn;
    drawMoreEntries(ENTRIES_AT_ONCE);
    $('entries').children[at]?.focus();
  } }));
