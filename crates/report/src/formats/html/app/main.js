// Going from the list to a pair and back, and the keys.

let listTop = 0;

const showPair = (pair) => {
  if (!current) listTop = scrollY;
  $('overview').hidden = true;
  $('pair').hidden = false;
  drawPair(pair);
  scrollTo(0, 0);
  $('pair-title').focus({ preventScroll: true });
  document.title = `${pair.a.base} · ${pair.b.base}`;
};

const openPair = (pair, isNew) => {
  history[isNew ? 'pushState' : 'replaceState'](null, '', toAddress(pair));
  showPair(pair);
};

const closePair = () => {
  const pair = current;
  current = null;
  $('pair').hidden = true;
  $('pair').replaceChildren();
  $('overview').hidden = false;
  document.title = TITLE;
  if (location.hash !== toAddress()) history.replaceState(null, '', toAddress());
  mapWidth = 0;
  layMap();
  if (!rowsBox) return;
  const entry = view.tab === 'work' && shownEntries.findIndex(({ members }) => members.some((member) => member.pair === pair));
  if (view.tab === 'work') {
    const most = Math.max(entriesDrawn, entry + 1);
    redrawEntries();
    drawMoreEntries(most - entriesDrawn);
  } else if (view.tab === 'pairs') {
    redrawRows();
  }
  scrollTo(0, listTop);
  if (view.tab === 'work') {
    $('entries').children[entry]?.focus({ preventScroll: true });
    return;
  }
  if (view.tab !== 'pairs') return;
  const at = shown.indexOf(pair);
  if (at >= 0) activate(at, true);
};

const stepPair = (by) => {
  const pair = shown[shown.indexOf(current) + by];
  if (!pair || !shown.includes(current)) return;
  openPair(pair, false);
  say(t`${pair.a.name} and ${pair.b.name}: ${word(RELATIONS[pair.relation])}`);
};

const sync = () => {
  const pair = fromAddress();
  if (rowsBox) refreshFrom(pair);
  else {
    chooseCluster(view.cluster);
    showTab();
  }
  if (pair && pair !== 'gone') showPair(pair);
  else if (current) closePair();
  if (pair === 'gone') say(t`The pair of this address is not in the report`);
};

// As refresh, without writing the address that was just read.
const refreshFrom = (pair) => {
  const address = location.hash;
  refresh();
  if (pair && pair !== 'gone' && location.hash !== address) history.replaceState(null, '', address);
};

const KEYS = [
  [t`In the lists`, [['w l d m', t`worklist, all pairs, documents, map`], [t`j k or ↓ ↑`, t`next and previous entry or pair`], ['Enter', t`open the pair`], ['Home End', t`first and last pair`], ['/', t`search names, titles and text`], ['1 – 7', t`show or hide a relation`], ['Esc', t`all clusters, no filter`]]],
  [t`In a pair`, [['j k', t`next and previous pair of the list`], ['n p', t`next and previous change`], ['e', t`all text, or equal text folded`], ['Esc', t`back to the list`]]],
  [t`Everywhere`, [['t', t`light, dark, or as the system`], ['?', t`this help`]]],
];

const drawHelp = () => {
  $('help').replaceChildren(
    el('h2', { id: 'help-title' }, t`Keys`),
    el('div', { class: 'keys' }, KEYS.map(([title, keys]) =>
      el('section', {}, el('h3', {}, title), el('dl', {}, keys.map(([key, what]) =>
        [el('dt', {}, key.split(' ').map((part) => (/^(or|或|–)$/.test(part) ? ` ${part} ` : el('kbd', {}, part)))), el('dd', {}, what)]))))),
    el('h2', {}, t`Measures`),
    el('dl', { class: 'measure-help' }, Object.values(TERMS).map(([name, text]) => [el('dt', {}, name), el('dd', {}, text)])),
    el('p', {}, el('button', { type: 'button', class: 'quiet', onclick: () => $('help').close() }, t`Close `, el('kbd', {}, 'Esc'))));
};

const escape = () => {
  if (hideTip()) return;
  if (current) closePair();
  else if (rowsBox && isTyping(document.activeElement)) {
    if (view.tab === 'pairs') activate(active, true);
    else document.activeElement.blur();
  }
  else if (rowsBox) clearFilters();
};

const EVERYWHERE = {
  '?': () => $('help').showModal(),
  t: nextTheme,
  Escape: escape,
};

const IN_PAIR = {
  j: () => stepPair(1),
  k: () => stepPair(-1),
  n: () => stepChange(1),
  p: () => stepChange(-1),
  e: toggleEqual,
};

const IN_WORK = {
  j: () => stepEntry(1),
  k: () => stepEntry(-1),
  Enter: openEntry,
};

const goToMap = () => {
  if (!clusters.length) return;
  chooseTab('map');
  document.querySelector('.block[tabindex="0"]')?.focus();
};

// The actions of the keys in every list.
const IN_LISTS = {
  w: () => chooseTab('work'),
  l: () => chooseTab('pairs'),
  d: () => chooseTab('documents'),
  m: goToMap,
  '/': () => {
    if (view.tab === 'map') chooseTab(lastList);
    $('words').focus();
    $('words').select();
  },
};

const step = (by) => activate(document.activeElement?.closest('.item') ? active + by : Math.max(0, active), true);
const IN_LIST = {
  j: () => step(1),
  k: () => step(-1),
  ArrowDown: () => step(1),
  ArrowUp: () => step(-1),
  Home: () => activate(0, true),
  End: () => activate(shown.length - 1, true),
  Enter: () => shown[active] && openPair(shown[active], true),
};

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
  const { target, key } = event;
  const isControl = isTyping(target) || (target.closest('button, a, summary, select, input') && key === 'Enter');
  if (isControl && key !== 'Escape') return;
  // A slider has the arrow keys for itself.
  if (target.tagName === 'INPUT' && /^(Arrow|Home|End)/.test(key)) return;
  const inTab = { work: IN_WORK, pairs: IN_LIST, documents: {}, map: {} }[view.tab];
  let action = EVERYWHERE[key] || (current ? IN_PAIR : rowsBox ? { ...IN_LISTS, ...inTab } : {})[key];
  if (!current && rowsBox && /^[1-7]$/.test(key)) action = () => data.summary.relations[RELATIONS[key - 1]] && toggleRelation(key - 1);
  if (!action) return;
  event.preventDefault();
  action();
});

addEventListener('popstate', sync);
$('help-open').addEventListener('click', () => $('help').showModal());
$('theme').addEventListener('click', nextTheme);

readDecisions();
drawHead();
const TITLE = document.title;
showTheme();
drawHelp();
drawTabs();
drawSummary();
drawMap(chooseCluster);
drawList();
markExport();
showTab();
drawRest();
sync();
// The texts come last in the page, and the search of an address may need them.
document.addEventListener('DOMContentLoaded', () => { if (rowsBox && view.words) refresh(); });
