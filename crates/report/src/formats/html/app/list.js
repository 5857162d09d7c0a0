// The list of pairs. Only the rows in view exist: their container is as high as all of them would be.

const OVERSCAN = 6;
const MAX_PRINTED = 500;
const narrow = matchMedia('(max-width: 760px)');
const hasTitles = documents.some((item) => item.title);
// The most lines of a name on a narrow screen. A wide character counts twice.
const longestName = documents.reduce((most, { base }) => Math.max(most, base.replace(/[^\u0000-\u2fff]/g, 'mm').length), 0);
const nameLines = () => Math.min(5, Math.ceil((longestName * 8.8) / Math.max(200, innerWidth - 48)));
const rowHeight = () => (narrow.matches ? 52 + 2 * ((hasTitles ? 20 : 0) + 21 + 19 * nameLines()) : hasTitles ? 104 : 64);

let shown = [];
let active = -1;
let rowsBox = null;
const drawn = new Map();

const bar = (steps) => {
  const inner = el('i');
  inner.style.width = (100 * (steps ?? 0)) / STEPS + '%';
  return el('span', { class: 'bar', 'aria-hidden': 'true' }, inner);
};

const cell = (kind, label, ...children) => el('div', { role: 'gridcell', class: 'cell ' + kind, 'data-label': label }, ...children);

const makeRow = (at) => {
  const pair = shown[at];
  const row = el('div', { role: 'row', class: 'item', 'aria-rowindex': at + 2, tabindex: at === active ? 0 : -1 },
    cell('relation-cell', '', badge(pair.relation), standingChip(pair.standing), decisionOn(pair).state ? el('span', { class: 'standing' }, STATES[decisionOn(pair).state]) : null, pair.state ? el('small', { class: 'no-text' }, t`without texts`) : null),
    cell('number', t`Share`.toLowerCase(), pair.share === null ? '–' : t`${pair.share} %`, bar(pair.share * 100)),
    cell('number', t`Weighted`.toLowerCase(), measure(pair.weighted), bar(pair.weighted)),
    cell('number', t`Jaccard`, measure(pair.jaccard), bar(pair.jaccard)),
    cell('number hamming', t`Hamming`, pair.hamming === null ? '–' : String(pair.hamming)),
    cell('names', '', [[pair.a, pair.b], [pair.b, pair.a]].map(([item, other]) => [titleOf(item), nameOf(item, other)])));
  if (at === active) row.classList.add('active');
  row.style.transform = `translateY(${at * rowHeight()}px)`;
  row.dataset.at = at;
  return row;
};

const drawRows = () => {
  if (!rowsBox || $('overview').hidden || view.tab !== 'pairs') return;
  const height = rowHeight();
  const top = -rowsBox.getBoundingClientRect().top;
  const from = Math.max(0, Math.floor(top / height) - OVERSCAN);
  const to = Math.min(shown.length, Math.ceil((top + innerHeight) / height) + OVERSCAN);
  for (const [at, row] of drawn) {
    if ((at < from || at >= to) && at !== active) {
      row.remove();
      drawn.delete(at);
    }
  }
  // In order, for those who hear the list.
  const add = (at) => {
    if (drawn.has(at) || at < 0 || at >= shown.length) return;
    const next = Math.min(...[...drawn.keys()].filter((other) => other > at));
    const row = makeRow(at);
    rowsBox.insertBefore(row, drawn.get(next) ?? null);
    drawn.set(at, row);
  };
  add(active);
  for (let at = from; at < to; at++) add(at);
};

const redrawRows = () => {
  drawn.clear();
  rowsBox.replaceChildren();
  rowsBox.style.height = shown.length * rowHeight() + 'px';
  rowsBox.style.setProperty('--row', rowHeight() + 'px');
  rowsBox.style.setProperty('--name-lines', nameLines());
  drawRows();
};

const activate = (at, focus) => {
  if (!shown.length) return;
  at = Math.max(0, Math.min(shown.length - 1, at));
  const last = drawn.get(active);
  last?.classList.remove('active');
  if (last) last.tabIndex = -1;
  active = at;
  const height = rowHeight();
  const top = rowsBox.getBoundingClientRect().top + at * height;
  const bar = $('list-head').getBoundingClientRect().height;
  if (top < bar) scrollBy(0, top - bar - 8);
  else if (top + height > innerHeight) scrollBy(0, top + height - innerHeight + 8);
  drawRows();
  const row = drawn.get(at);
  row.classList.add('active');
  row.tabIndex = 0;
  if (focus) row.focus({ preventScroll: true });
};

const heading = (name) => {
  const { label, term } = COLUMNS[name];
  return el('div', { role: 'columnheader', class: 'cell ' + (name === 'names' ? 'names' : name === 'relation' ? 'relation-cell' : name === 'hamming' ? 'number hamming' : 'number'), 'data-sort': name },
    el('button', { type: 'button', ...(term ? explains(term) : {}), onclick: () => sortBy(name) }, label));
};

const sortBy = (name) => {
  const { first } = COLUMNS[name];
  if (view.sort !== name) [view.sort, view.down] = [name, first];
  else if (view.down === first) view.down = -first;
  else view.sort = '';
  refresh();
};

const markHeadings = () => {
  for (const head of document.querySelectorAll('[data-sort]')) {
    const isSorted = head.dataset.sort === view.sort;
    head.setAttribute('aria-sort', !isSorted ? 'none' : view.down < 0 ? 'descending' : 'ascending');
  }
};

const toggleRelation = (at) => {
  if (!view.hidden.delete(at)) view.hidden.add(at);
  refresh();
};

const leastText = () => (view.least ? t`similarity ≥ ${view.least / STEPS}` : t`any similarity`);

const markControls = () => {
  $('words').value = view.words;
  $('least').value = view.least / 100;
  $('least-text').textContent = leastText();
  if ($('only-new')) $('only-new').checked = view.onlyNew;
  $('only-open').checked = view.onlyOpen;
  for (const button of document.querySelectorAll('.toggle')) {
    button.setAttribute('aria-pressed', String(!view.hidden.has(Number(button.dataset.at))));
  }
  const isFiltered = view.words || view.hidden.size || view.least || view.onlyNew || view.onlyOpen || view.cluster >= 0;
  $('clear').hidden = !isFiltered;
};

const drawMembers = () => {
  const cluster = clusters[view.cluster];
  const box = $('members');
  box.hidden = !cluster;
  if (!cluster) return;
  const most = 200;
  const left = cluster.size - Math.min(most, cluster.members.length);
  box.replaceChildren(
    el('h3', {}, t`Cluster ${cluster.number + 1}: ${counted(cluster.size, 'document')}`,
      el('button', { type: 'button', class: 'quiet', onclick: () => chooseCluster(-1) }, t`Show all clusters `, el('kbd', {}, 'Esc'))),
    el('ul', {}, cluster.members.slice(0, most).map((item) =>
      el('li', { class: item === cluster.best ? 'best' : null }, nameOf(item), item === cluster.best ? el('small', {}, t`the longest`) : null))),
    left ? el('p', { class: 'note' }, t`and ${counted(left, 'document')} more`) : '');
};

const refresh = () => {
  const before = shown[active];
  shown = listed();
  const isWork = view.tab === 'work';
  if (isWork) redrawEntries();
  const isDocuments = view.tab === 'documents';
  if (isDocuments) redrawDocuments();
  active = before ? shown.indexOf(before) : -1;
  if (active < 0) active = shown.length ? 0 : -1;
  const total = data.summary.pairs;
  const rest = total > listedPairs.length ? t`, the best ${count(listedPairs.length)} are in this report` : '';
  const text = isWork ? (shownEntries.length === entries.length ? counted(entries.length, 'entry', 'entries') : t`${count(shownEntries.length)} of ${counted(entries.length, 'entry', 'entries')}`)
    : isDocuments ? counted(documentRows.length, 'document') + rest
    : shown.length === total ? counted(total, 'pair') : t`${count(shown.length)} of ${counted(total, 'pair')}` + rest;
  $('list-count').textContent = text;
  say(text);
  $('grid').setAttribute('aria-rowcount', shown.length + 1);
  $('nothing').hidden = (isWork ? shownEntries : shown).length > 0;
  showTab();
  markHeadings();
  markControls();
  markMap();
  drawMembers();
  redrawRows();
  remade();
};

const chooseCluster = (at) => {
  view.cluster = at;
  // A cluster that is chosen on the map is shown in the list that was open before.
  if (rowsBox && at >= 0 && view.tab === 'map') view.tab = lastList;
  if (!rowsBox) {
    markMap();
    drawMembers();
    remade();
    return;
  }
  refresh();
};

let lastList = 'work';

const LIST_TITLES = { work: t`What to look at first`, documents: t`Documents in pairs` };

// Shows the parts of the view that is chosen.
const showTab = () => {
  const isMap = view.tab === 'map';
  if (!isMap) lastList = view.tab;
  $('map').hidden = !isMap || !clusters.length;
  $('list').hidden = isMap && hasPairs;
  if (rowsBox) {
    $('work').hidden = view.tab !== 'work';
    $('grid').hidden = view.tab !== 'pairs';
    $('documents').hidden = view.tab !== 'documents';
    $('list-title').textContent = LIST_TITLES[view.tab] ?? t`Pairs`;
  }
  for (const button of document.querySelectorAll('.tab')) button.setAttribute('aria-pressed', String(button.dataset.tab === view.tab));
  if (isMap) layMap();
};

const chooseTab = (tab) => {
  view.tab = tab;
  if (rowsBox) refresh();
  else showTab();
};

const drawTabs = () => {
  if (!hasPairs || !pairs.length) return;
  $('tabs').replaceChildren(...Object.entries(TABS).filter(([tab]) => tab !== 'map' || clusters.length).map(([tab, label]) =>
    el('button', { type: 'button', class: 'tab', 'data-tab': tab, onclick: () => chooseTab(tab) }, label, ' ',
      el('small', {}, count({ work: entries.length, pairs: data.summary.pairs, documents: documentsOf(listedPairs).length, map: clusters.length }[tab])))));
};

const clearFilters = () => {
  Object.assign(view, { words: '', hidden: new Set(), cluster: -1, least: 0, onlyNew: false, onlyOpen: false });
  refresh();
};

const later = (task, wait) => {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(task, wait);
  };
};

// Why the list is empty.
const nothing = () => {
  if (data.summary.pairs) return t`Nothing is left by these filters.`;
  if (data.lack === 'documents') return t`There was nothing to compare.`;
  if (data.lack === 'others') return t`There was nothing to compare with.`;
  return t`There are no pairs: nothing here is a near-duplicate of anything else.`;
};

const drawList = () => {
  if (!data.pairs) {
    $('list').replaceChildren(el('div', { class: 'heading' }, el('h2', { id: 'list-title' }, t`Pairs`)),
      el('p', { class: 'note' }, t`This report has no pairs: it was made with --no-pairs.`),
      el('div', { id: 'members', class: 'members', hidden: true }));
    return;
  }
  const typed = later(() => { view.words = $('words').value; refresh(); }, 110);
  const slid = later(refresh, 60);
  const toggles = RELATIONS.map((name, at) => {
    const number = data.summary.relations[name];
    return number ? el('button', { type: 'button', class: 'toggle', 'data-at': at, 'data-relation': name, onclick: () => toggleRelation(at) }, word(name), ' ', el('small', {}, count(number))) : null;
  });
  const isNew = data.open === null ? null
    : el('label', { class: 'check' }, el('input', { type: 'checkbox', id: 'only-new', onchange: (event) => { view.onlyNew = event.target.checked; refresh(); } }), t` only new`);
  rowsBox = el('div', { class: 'rows', role: 'rowgroup' });
  $('list').replaceChildren(
    el('div', { class: 'heading' }, el('h2', { id: 'list-title' }, t`Pairs`), el('span', { id: 'list-count' }), el('button', { type: 'button', class: 'quiet', id: 'export-open', hidden: true, onclick: openExport })),
    el('div', { class: 'controls', role: 'search' },
      el('label', { class: 'search' }, el('span', { class: 'unseen' }, t`Search names, titles and text`),
        el('input', { type: 'search', id: 'words', placeholder: t`Search names, titles and text`, autocomplete: 'off', spellcheck: 'false', oninput: typed }), el('kbd', {}, '/')),
      el('div', { class: 'toggles', role: 'group', 'aria-label': t`Relations` }, toggles),
      el('label', { class: 'least' }, el('span', { id: 'least-text' }, leastText()),
        el('input', { type: 'range', id: 'least', min: 0, max: 100, step: 1, 'aria-label': t`Least similarity in percent`, oninput: (event) => { view.least = event.target.value * 100; $('least-text').textContent = leastText(); slid(); } })),
      isNew,
      el('label', { class: 'check' }, el('input', { type: 'checkbox', id: 'only-open', onchange: (event) => { view.onlyOpen = event.target.checked; refresh(); } }), t` only undecided`),
      el('button', { type: 'button', class: 'quiet', id: 'clear', hidden: true, onclick: clearFilters }, t`Clear`)),
    data.shown < pairs.length ? el('p', { class: 'note' }, t`This report has the texts of ${counted(data.shown, 'pair')}; the others are marked, and say which command shows them.`) : '',
    el('div', { id: 'members', class: 'members', hidden: true }),
    worklistBox(),
    documentsBox(),
    el('div', { id: 'grid', role: 'grid', 'aria-labelledby': 'list-title', 'aria-readonly': 'true' },
      el('div', { id: 'list-head', role: 'rowgroup' }, el('div', { role: 'row', class: 'head', 'aria-rowindex': 1 },
        ['relation', 'share', 'weighted', 'jaccard', 'hamming', 'names'].map(heading))),
      rowsBox),
    el('p', { id: 'nothing', class: 'note', hidden: true }, nothing()));
  rowsBox.addEventListener('click', (event) => {
    const row = event.target.closest('.item');
    if (!row || String(getSelection())) return;
    activate(Number(row.dataset.at));
    openPair(shown[active], true);
  });
  rowsBox.addEventListener('focusin', (event) => {
    const row = event.target.closest('.item');
    if (row && Number(row.dataset.at) !== active) activate(Number(row.dataset.at));
  });
  let waiting = false;
  const soon = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; drawRows(); });
  };
  addEventListener('scroll', soon, { passive: true });
  addEventListener('resize', soon);
  narrow.addEventListener('change', redrawRows);
  // On paper there is no view to draw the rows for.
  addEventListener('beforeprint', () => {
    if ($('overview').hidden || view.tab === 'map') return;
    if (view.tab === 'work') {
      drawMoreEntries(MAX_PRINTED);
      return;
    }
    if (view.tab === 'documents') {
      drawMoreDocuments(MAX_PRINTED);
      return;
    }
    drawn.clear();
    rowsBox.replaceChildren(...shown.slice(0, MAX_PRINTED).map((_, at) => makeRow(at)));
  });
  addEventListener('afterprint', redrawRows);
};
