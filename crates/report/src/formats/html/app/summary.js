// The figures of the run, and the documents that were not compared.

const figure = (number, label, note) =>
  el('div', { class: 'figure' }, el('b', {}, typeof number === 'number' ? count(number) : number), el('span', {}, label), note ? el('small', {}, note) : null);

const share = (part, whole) => (whole ? t`${Math.round((100 * part) / whole)} % of all` : null);

// The date of the file, as far as the browser knows it.
const dateOf = () => {
  const written = new Date(document.lastModified);
  const isKnown = location.protocol === 'file:' || Date.now() - written > 60000;
  const day = () => written.toLocaleDateString(document.documentElement.lang, { year: 'numeric', month: 'long', day: 'numeric' });
  return isKnown && !Number.isNaN(written.getTime()) ? day() : null;
};

const drawHead = () => {
  const [scanned, command] = data.head;
  if (scanned) {
    $('title').replaceChildren(t`Near-duplicates in `, el('bdi', { lang: '' }, scanned));
    document.title = t`${scanned}: near-duplicate documents`;
  }
  const date = dateOf();
  $('head').replaceChildren(
    date ? el('span', { id: 'date' }, date) : '',
    command ? el('span', { class: 'made-with' }, el('code', {}, el('bdi', {}, command)), ' ', copyButton(() => command, t`Copy`, t`Copy the command`)) : '');
};

const drawSummary = () => {
  const { summary, settings } = data;
  const figures = el('div', { class: 'figures' },
    figure(summary.documents, summary.documents === 1 ? t`document` : t`documents`),
    figure(summary.pairs, summary.pairs === 1 ? t`pair` : t`pairs`, data.left_out ? t`${count(data.left_out)} left out` : null),
    data.open === null ? null : figure(data.open, t`new`, t`${count(data.accepted)} accepted`),
    figure(summary.clusters, summary.clusters === 1 ? t`cluster` : t`clusters`),
    figure(summary.documents_in_clusters, t`in clusters`, share(summary.documents_in_clusters, summary.documents)),
    figure(summary.skipped, t`skipped`));
  const total = Math.max(1, summary.pairs);
  const shares = el('div', { class: 'shares', 'aria-hidden': 'true' },
    RELATIONS.map((name) => {
      const part = el('i', { 'data-relation': name });
      part.style.flexGrow = summary.relations[name] / total;
      return summary.relations[name] ? part : null;
    }));
  const asked = {
    simhash: () => t`Hamming distance ≤ ${settings.max_hamming}`,
    shingle: () => t`Jaccard ≥ ${settings.min_jaccard}`,
    'super-shingle': () => t`${settings.super_shingle.min_equal} equal super-shingles`,
    'i-match': () => t`an equal I-Match signature`,
  };
  const detectors = settings.detectors.map((name) => asked[name]());
  if (settings.min_containment !== null) detectors.push(t`containment ≥ ${settings.min_containment}`);
  if (settings.min_weighted) detectors.push(t`weighted ≥ ${settings.min_weighted}`);
  $('summary').replaceChildren(figures, summary.pairs ? shares : '');
  $('settings').textContent = t`Pairs with ${detectors.join(t` or `)} · runs of ${settings.shingle_size} words or characters (${settings.shingle_unit})`;
};

const folded = (title, total, rows) => {
  const more = total > rows.length ? el('p', { class: 'note' }, t`and ${count(total - rows.length)} more`) : null;
  return el('details', {}, el('summary', {}, `${title} (${count(total)})`),
    el('table', {}, rows.map((row) => el('tr', {}, row.map((cell) => el('td', {}, el('bdi', {}, cell)))))), more);
};

const drawRest = () => {
  const { skipped, notes, summary } = data;
  $('rest').replaceChildren(
    skipped.length ? folded(t`Skipped`, summary.skipped, skipped) : '',
    notes.length ? folded(t`Notes on documents`, notes.length, notes) : '');
};
