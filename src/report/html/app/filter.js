// Which pairs are listed, and in which order. The state is in the address, so that a view can be sent on.

const COLUMNS = {
  relation: { label: 'Relation', value: (pair) => pair.relation, first: 1 },
  weighted: { label: 'Weighted', value: (pair) => pair.weighted ?? -1, first: -1, hint: 'Jaccard similarity in which a shingle weighs as much as it is rare in these documents' },
  jaccard: { label: 'Jaccard', value: (pair) => pair.jaccard ?? -1, first: -1, hint: 'Jaccard similarity of the sets of shingles' },
  containment: { label: 'Contained', value: (pair) => pair.containment ?? -1, first: -1, hint: 'How much of the smaller document is in the other one' },
  hamming: { label: 'Hamming', value: (pair) => pair.hamming ?? 999, first: 1, hint: 'How many bits of the fingerprints differ' },
  names: { label: 'Documents', first: 1 },
};

const view = { words: '', hidden: new Set(), cluster: -1, least: 0, onlyNew: false, sort: '', down: -1 };

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

const similarity = (pair) => pair.weighted ?? (pair.hamming === null ? 0 : STEPS * (1 - pair.hamming / data.settings.simhash_bits));

const matches = (pair, words) =>
  !view.hidden.has(pair.relation) &&
  (view.cluster < 0 || pair.cluster === view.cluster) &&
  similarity(pair) >= view.least &&
  (!view.onlyNew || pair.open) &&
  words.every((word) => pair.sought.includes(word));

const listed = () => {
  const words = view.words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = pairs.filter((pair) => matches(pair, words));
  const column = COLUMNS[view.sort];
  if (!column) return found;
  if (view.sort === 'names') {
    const rank = rankNames();
    return found.sort((p, q) => view.down * (rank[p.a.number] - rank[q.a.number] || rank[p.b.number] - rank[q.b.number]) || p.number - q.number);
  }
  return found.sort((p, q) => view.down * (column.value(p) - column.value(q)) || p.number - q.number);
};

// The address: #q=…&hide=template,short&cluster=3&least=0.5&new=1&sort=names&pair=A&with=B
const toAddress = (pair) => {
  const parts = new URLSearchParams();
  if (pair) {
    parts.set('pair', pair.a.name);
    parts.set('with', pair.b.name);
  }
  if (view.words) parts.set('q', view.words);
  if (view.hidden.size) parts.set('hide', [...view.hidden].sort().map((at) => RELATIONS[at]).join(','));
  if (view.cluster >= 0) parts.set('cluster', view.cluster + 1);
  if (view.least) parts.set('least', view.least / STEPS);
  if (view.onlyNew) parts.set('new', 1);
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
  const sort = parts.get('sort') || '';
  view.down = sort.startsWith('-') ? -1 : 1;
  const name = sort.replace('-', '');
  view.sort = Object.hasOwn(COLUMNS, name) ? name : '';
  const [a, b] = [parts.get('pair'), parts.get('with')];
  return a === null ? null : pairs.find((pair) => pair.a.name === a && pair.b.name === b) || 'gone';
};

const remade = (pair) => {
  const address = toAddress(pair);
  if (location.hash !== address && !(address === '#' && !location.hash)) history.replaceState(null, '', address);
};
