// The data that Rust put into the page; data.rs describes the items of its lists.

const parsed = (id) => {
  const element = document.getElementById(id);
  return element && JSON.parse(element.textContent);
};

const data = parsed('data');

// The texts of the page in its language, by the English ones; nothing on an English page.
const WORDS = parsed('words') || {};

// A text with its values in the language of the page: t`${part} of ${whole}`. The key in the table is '{} of {}'.
const t = (parts, ...values) => {
  const key = parts.join('{}');
  let next = 0;
  return (WORDS[key] ?? key).replace(/\{(\d*)\}/g, (_, place) => values[place === '' ? next++ : place]);
};

// A word that Rust put into the page, such as a relation.
const word = (english) => WORDS[english] ?? english;
const RELATIONS = data.relations;
const STEPS = 10000;

const documents = data.documents.map(([name, shingles, changed, cut, title, lang, real, place], number) => {
  const at = name.lastIndexOf('/') + 1;
  return {
    number, name, folder: name.slice(0, at), base: name.slice(at), shingles, changed, cut, title, lang: lang || '',
    // Its name with the characters that are not shown, and for a record its file and line.
    real: real ?? name, place,
    cluster: -1, sought: null,
  };
});

const clusters = data.clusters.map(([best, leastSimilarity, size, members], number) => {
  for (const member of members) documents[member].cluster = number;
  return { number, best: documents[best], leastSimilarity, size, members: members.map((at) => documents[at]), pairs: 0, strongest: RELATIONS.length, gain: 0 };
});

let opened = 0;
const pairs = (data.pairs || []).map((item, number) => {
  const [a, b, relation, weighted, jaccard, shares, hamming, foundBy, standing, because, state, reason, apart, said] = item;
  const pair = {
    number, a: documents[a], b: documents[b], relation: RELATIONS.indexOf(relation),
    // How much of each document is in the other one, in percent; and of the smaller one.
    weighted, jaccard, shares, share: shares && Math.max(...shares), hamming, foundBy, standing, because, state, reason, apart, said,
    // Its place among the pairs that can be opened.
    rank: state === 0 ? opened++ : -1,
    open: standing === 'new' || standing === 'worse',
    cluster: -1,
  };
  if (pair.a.cluster >= 0 && pair.a.cluster === pair.b.cluster) {
    pair.cluster = pair.a.cluster;
    const cluster = clusters[pair.cluster];
    cluster.pairs++;
    cluster.strongest = Math.min(cluster.strongest, pair.relation);
  }
  return pair;
});

// Those that are set apart are only in entries.
const listedPairs = pairs.filter(({ apart }) => !apart);

// What to look at first.
const entries = (data.worklist || []).map(([kind, first, gain, stands, sentence, members], number) => {
  const entry = { number, kind, first: documents[first], gain, stands, sentence, members: members.map(([at, pair]) => ({ item: documents[at], pair: pairs[pair] })), isSum: !['group', 'related', 'parallel'].includes(kind) };
  entry.relation = kind === 'family' ? RELATIONS.indexOf('template') : Math.min(...entry.members.map(({ pair }) => pair.relation));
  if (kind === 'group' && entry.first.cluster >= 0) clusters[entry.first.cluster].gain += gain;
  return entry;
});

const ROWS_TOGETHER = 32;

// Texts and rows come last in the page, and are parsed when they are needed. The chunk that was used last
// is kept: who reads one pair after the other needs it again.
const lastChunk = { number: -1, rows: null };
const rowsOf = (pair) => {
  const number = Math.floor(pair.rank / ROWS_TOGETHER);
  if (lastChunk.number !== number) {
    const rows = parsed('r' + number);
    if (!rows) return null;
    Object.assign(lastChunk, { number, rows });
  }
  return lastChunk.rows[pair.rank % ROWS_TOGETHER];
};
const textOf = (item) => parsed('t' + item.number);

const count = (number) => number.toLocaleString('en');
const counted = (number, what, more) => WORDS['{} ' + what]?.replace('{}', count(number)) ?? `${count(number)} ${number === 1 ? what : more || what + 's'}`;
const measure = (steps) => (steps === null ? '–' : (steps / STEPS).toFixed(4));
const inWords = (number) => t`${count(number)} words`;
