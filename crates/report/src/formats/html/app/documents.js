// The documents of the pairs that are listed: the closest one of each, how many are near.

const DOCUMENTS_AT_ONCE = 200;

const DOCUMENT_COLUMNS = {
  name: { label: t`Document`, value: ({ item }) => rankNames()[item.number], first: 1 },
  closest: { label: t`Closest`, value: ({ other }) => rankNames()[other.number], first: 1 },
  jaccard: { label: t`Jaccard`, value: ({ pair }) => pair.jaccard ?? -1, first: -1, term: 'jaccard' },
  near: { label: t`Near`, value: ({ near }) => near, first: -1, term: 'near' },
};

const documentSort = { by: 'near', down: -1 };
let documentRows = [];
let documentsDrawn = 0;

// Whether a pair is of documents that are more alike than those of another one.
const isCloser = (pair, than) => {
  const [p, q] = [pair, than].map(({ jaccard, hamming }) => [jaccard ?? -1, -(hamming ?? 999)]);
  return p[0] !== q[0] ? p[0] > q[0] : p[1] > q[1];
};

// The documents of some pairs.
const documentsOf = (listed) => {
  const rows = new Map();
  for (const pair of listed) {
    for (const [item, other] of [[pair.a, pair.b], [pair.b, pair.a]]) {
      const row = rows.get(item);
      if (!row) rows.set(item, { item, other, pair, near: 1 });
      else {
        row.near++;
        const isTie = !isCloser(pair, row.pair) && !isCloser(row.pair, pair);
        if (isCloser(pair, row.pair) || (isTie && other.number < row.other.number)) Object.assign(row, { other, pair });
      }
    }
  }
  return [...rows.values()];
};

const documentRow = ({ item, other, pair, near }) =>
  el('tr', {},
    el('td', {}, titleOf(item), nameOf(item)),
    el('td', {}, nameOf(other, item), ' ',
      el('button', { type: 'button', class: 'quiet small', onclick: () => openPair(pair, true), 'aria-label': t`Compare ${item.name} and ${other.name}` }, t`Compare`)),
    el('td', { class: 'number', 'data-label': t`Jaccard` }, measure(pair.jaccard)),
    el('td', { class: 'number', 'data-label': t`Near`.toLowerCase() }, count(near)));

const drawMoreDocuments = (most) => {
  const next = documentRows.slice(documentsDrawn, documentsDrawn + most);
  $('document-rows').append(...next.map(documentRow));
  documentsDrawn += next.length;
  const left = documentRows.length - documentsDrawn;
  $('more-documents').hidden = !left;
  $('more-documents').textContent = t`Show ${count(Math.min(left, DOCUMENTS_AT_ONCE))} more of ${count(left)}`;
};

const redrawDocuments = () => {
  const { value } = DOCUMENT_COLUMNS[documentSort.by];
  documentRows = documentsOf(shown).sort((x, y) => documentSort.down * (value(x) - value(y)) || x.item.number - y.item.number);
  documentsDrawn = 0;
  $('document-rows').replaceChildren();
  drawMoreDocuments(DOCUMENTS_AT_ONCE);
  for (const head of document.querySelectorAll('[data-by]')) {
    const isSorted = head.dataset.by === documentSort.by;
    head.setAttribute('aria-sort', !isSorted ? 'none' : documentSort.down < 0 ? 'descending' : 'ascending');
  }
};

const sortDocuments = (by) => {
  const { first } = DOCUMENT_COLUMNS[by];
  Object.assign(documentSort, { by, down: documentSort.by === by ? -documentSort.down : first });
  redrawDocuments();
};

const documentsBox = () => el('div', { id: 'documents' },
  el('table', {},
    el('thead', {}, el('tr', {}, Object.entries(DOCUMENT_COLUMNS).map(([by, { label, term }]) =>
      el('th', { scope: 'col', 'data-by': by }, el('button', { type: 'button', ...(term ? explains(term) : {}), onclick: () => sortDocuments(by) }, label))))),
    el('tbody', { id: 'document-rows' })),
  el('button', { type: 'button', class: 'quiet', id: 'more-documents', hidden: true, onclick: () => drawMoreDocuments(DOCUMENTS_AT_ONCE) }));
