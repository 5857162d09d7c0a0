// Which pairs are listed, and in which order. The state is in the address, so that a view can be sent on.

const COLUMNS = {
  relation: { label: t`Relation`, value: (pair) => pair.relation, first: 1 },
  share: { label: t`Share`, value: (pair) => pair.share ?? -1, first: -1, term: 'share' },
  weighted: { label: t`Weighted`, value: (pair) => pair.weighted ?? -1, first: -1, term: 'weighted' },
  jaccard: { label: t`Jaccard`, value: (pair) => pair.jaccard ?? -1, first: -1, term: 'jaccard' },
  hamming: { label: t`Hamming`, value: (pair) => pair.hamming ?? 999, first: 1, term: 'hamming' },
  names: { label: t`Documents`, first: 1 },
};

const TABS = { work: t`Worklist`, pairs: t`All pairs`, documents: t`Documents`, map: t`Map` };

const view = { tab: 'work', words: '', hidden: new Set(), cluster: -1, least: 0, onlyNew: false, onlyOpen: false, sort: '', down: -1 };

// Whether pairs are listed at all.
const hasPairs = data.pairs !== null;


// Places of names in their order, so that sorting compares numbers.
let nameRank = null;
const rankNames = () => {
  if (nameRank) return nameRank;
  const collator = new Intl.Collator(undefined, { numeric: true });
  const order = documents.map((item) => item.number).sort((a, b) => collator.compare(documents[a].name, documents[b].name));
  nameRank = new Uint32Array(documents.length);
  order.forEach((number, rank) => { nameRank[number] = rank; });
  return nameRank;
};

const similarity = (pair) => pair.weighted ?? (pair.hamming === null ? 0 : STEPS * (1 - pair.hamming / 64));

// Where a document is searched: its name, its title and its text, once the page has it.
const soughtOf = (item) => {
  if (item.sought !== null) return item.sought;
  const isComplete = document.readyState !== 'loading';
  const sought = [item.name, item.title || '', (isComplete && textOf(item)) || ''].join('\n').toLowerCase();
  if (isComplete) item.sought = sought;
  return sought;
};

// For each word of the search, whether each document has it.
const sought = () => {
  const words = view.words.toLowerCase().split(/\s+/).filter(Boolean);
  return words.map((word) => Uint8Array.from(documents, (item) => soughtOf(item).includes(word)));
};

const matches = (pair, words) =>
  !view.hidden.has(pair.relation) &&
  (view.cluster < 0 || pair.cluster === view.cluster) &&
  similarity(pair) >= view.least &&
  (!view.onlyNew || pair.open) &&
  (!view.onlyOpen || !decisionOn(pair).state) &&
  words.every((has) => has[pair.a.number] || has[pair.b.number]);

// The entries of the worklist with a pair that matches.
const listedEntries = () => {
  const words = sought();
  return entries.filter((entry) => entry.members.some(({ pair }) => matches(pair, words)));
};


const listed = () => {
  const words = sought();
  const found = listedPairs.filter((pair) => matches(pair, words));
  const column = COLUMNS[view.sort];
  if (!column) return found;
  if (view.sort === 'names') {
    const rank = rankNames();
    return found.sort((p, q) => view.down * (rank[p.a.number] - rank[q.a.number] || rank[p.b.number] - rank[q.b.number]) || p.number - q.number);
  }
  return found.sort((p, q) => view.down * (column.value(p) - column.value(q)) || p.number - q.number);
};

// The address: #view=pairs&q=…&hide=template,short&cluster=3&least=0.5&new=1&sort=names&pair=A&with=B
const toAddress = (pair) => {
  const parts = new URLSearchParams();
  if (pair) {
    parts.set('pair', pair.a.name);
    parts.set('with', pair.b.name);
  }
  if (view.tab !== (hasPairs ? 'work' : 'map')) parts.set('view', view.tab);
  if (view.words) parts.set('q', view.words);
  if (view.hidden.size) parts.set('hide', [...view.hidden].sort().map((at) => RELATIONS[at]).join(','));
  if (view.cluster >= 0) parts.set('cluster', view.cluster + 1);
  if (view.least) parts.set('least', view.least / STEPS);
  if (view.onlyNew) parts.set('new', 1);
  if (view.onlyOpen) parts.set('open', 1);
  if (view.sort) parts.set('sort', (view.down < 0 ? '-' : '') + view.sort);
  const text = parts.toString().replaceAll('%2F', '/');
  return text ? '#' + text : '#';
};

const fromAddress = () => {
  const parts = new URLSearchParams(location.hash.slice(1));
  view.words = parts.get('q') || '';
  view.hidden = new Set((parts.get('hide') || '').split(',').map((name) => RELATIONS.indexOf(name)).filter((at) => at >= 0));
  const cluster = Number(parts.get('cluster')) - 1;
  view.cluster = clusters[cluster] ? cluster : -1;
  view.least = Math.min(STEPS, Math.max(0, Math.round(Number(parts.get('least')) * STEPS) || 0));
  view.onlyNew = parts.has('new');
  view.onlyOpen = parts.has('open');
  const sort = parts.get('sort') || '';
  view.down = sort.startsWith('-') ? -1 : 1;
  const name = sort.replace('-', '');
  view.sort = Object.hasOwn(COLUMNS, name) ? name : '';
  // An address that sorts pairs is one of their list.
  const tab = parts.get('view') || (view.sort ? 'pairs' : 'work');
  const isTab = Object.hasOwn(TABS, tab) && (tab !== 'map' || clusters.length > 0);
  view.tab = !hasPairs ? 'map' : isTab ? tab : 'work';
  const [a, b] = [parts.get('pair'), parts.get('with')];
  return a === null ? null : pairs.find((pair) => pair.a.name === a && pair.b.name === b) || 'gone';
};

const remade = (pair) => {
  const address = toAddress(pair);
  if (location.hash !== address && !(address === '#' && !location.hash)) history.replaceState(null, '', address);
};
