// The map: a block for each cluster, as large as the text that it has twice, stronger in colour the more alike its documents
// are. Squarified treemap (Bruls, Huizing and van Wijk 2000).

const MAX_BLOCKS = 300;

// Lays blocks with areas, the largest first, into a rectangle; calls back with the place of each.
const squarified = (areas, width, height, place) => {
  let [x, y, w, h] = [0, 0, width, height];
  let at = 0;
  const worst = (row, sum, side) => Math.max((side * side * row[0]) / (sum * sum), (sum * sum) / (side * side * row[row.length - 1]));
  while (at < areas.length) {
    const side = Math.min(w, h);
    const row = [areas[at]];
    let sum = areas[at];
    while (at + row.length < areas.length) {
      const next = areas[at + row.length];
      if (worst([...row, next], sum + next, side) > worst(row, sum, side)) break;
      row.push(next);
      sum += next;
    }
    const thick = side ? sum / side : 0;
    let along = 0;
    for (const area of row) {
      const long = thick ? area / thick : 0;
      if (w >= h) place(at++, x, y + along, thick, long);
      else place(at++, x + along, y, long, thick);
      along += long;
    }
    if (w >= h) [x, w] = [x + thick, w - thick];
    else [y, h] = [y + thick, h - thick];
  }
};

const clusterTitle = (cluster) =>
  t`Cluster ${cluster.number + 1}: ${counted(cluster.size, 'document')}, saves ${inWords(cluster.gain)}, least similarity ${cluster.leastSimilarity ?? t`not measured`}, `
  + `${cluster.best.title ? cluster.best.title + ', ' : ''}${cluster.best.name}`;

// Without any gain, as in a report without pairs, blocks are as large as they have documents.
const mapIsOfGain = clusters.some((cluster) => cluster.gain);
const weightOf = (cluster) => (mapIsOfGain ? cluster.gain : cluster.size);
const onMap = [...clusters].sort((a, b) => weightOf(b) - weightOf(a) || a.number - b.number);

let blocks = [];
let shelf = null;
let mapWidth = 0;

const layMap = () => {
  const width = shelf.clientWidth;
  if (!width || width === mapWidth) return;
  mapWidth = width;
  const shown = onMap.slice(0, MAX_BLOCKS);
  const whole = shown.reduce((sum, cluster) => sum + weightOf(cluster), 0);
  const height = Math.round(Math.min(width < 600 ? 640 : 520, Math.max(88, shown.length * 14)));
  shelf.style.height = height + 'px';
  // However little is gained, a block can be seen and touched.
  const least = whole / shown.length / 3;
  const weights = shown.map((cluster) => weightOf(cluster) + least);
  const scale = (width * height) / weights.reduce((sum, weight) => sum + weight, 0);
  squarified(weights.map((weight) => weight * scale), width, height, (at, x, y, w, h) => {
    const { style } = blocks[at];
    style.left = x + 'px';
    style.top = y + 'px';
    style.width = Math.max(0, w - 3) + 'px';
    style.height = Math.max(0, h - 3) + 'px';
    blocks[at].dataset.room = w > 120 && h > 70 ? 'much' : w > 62 && h > 58 ? 'tall' : w > 62 && h > 24 ? 'some' : w > 22 && h > 18 ? 'little' : 'none';
  });
};

const readOut = (cluster) => {
  const line = $('map-line');
  if (!cluster) {
    line.replaceChildren(el('span', { class: 'scale', 'aria-hidden': 'true' }, el('i'), el('i'), el('i'), el('i'), el('i')),
      el('span', {}, mapIsOfGain ? t`A block is a cluster, as large as the text that it has twice, stronger in colour the higher its ` : t`A block is a cluster, as large as it has documents, stronger in colour the higher its `, explained('leastSimilarity', t`least similarity`), t`. Choose one to list what is in it.`));
    return;
  }
  const strongest = RELATIONS[cluster.strongest];
  line.replaceChildren(el('b', {}, t`Cluster ${cluster.number + 1}`), ' ', titleOf(cluster.best) ?? '', ' ', nameOf(cluster.best),
    ` · ${counted(cluster.size, 'document')}` + (mapIsOfGain ? t` · saves ${inWords(cluster.gain)}` : '') +
    (cluster.leastSimilarity === null ? '' : t` · least similarity ${cluster.leastSimilarity}`) +
    (strongest ? t` · ${counted(cluster.pairs, 'pair')}, strongest ${word(strongest)}` : ''));
};

const markMap = () => {
  if (!clusters.length) return;
  shelf?.classList.toggle('chosen', view.cluster >= 0);
  blocks.forEach((block, at) => block.setAttribute('aria-pressed', String(onMap[at].number === view.cluster)));
  const most = $('map-more');
  if (most) most.value = onMap.findIndex(({ number }) => number === view.cluster) >= blocks.length ? view.cluster : '';
  readOut(clusters[view.cluster]);
};

const drawMap = (choose) => {
  if (!clusters.length) return;
  const section = $('map');
  blocks = onMap.slice(0, MAX_BLOCKS).map((cluster, at) =>
    el('button', {
      type: 'button', class: 'block', 'aria-label': clusterTitle(cluster), title: `${cluster.best.title ? cluster.best.title + '\n' : ''}${cluster.best.name}`, tabindex: at ? -1 : 0,
      'data-similarity': cluster.leastSimilarity === null ? null : Math.min(4, Math.floor(cluster.leastSimilarity * 5)),
      onclick: () => choose(view.cluster === cluster.number ? -1 : cluster.number),
      onpointerenter: () => readOut(cluster),
      onfocus: () => readOut(cluster),
    }, el('b', {}, count(cluster.size)), el('bdi', { lang: cluster.best.title ? cluster.best.lang : '' }, textNodes(cluster.best.title || cluster.best.base)), el('small', {}, cluster.leastSimilarity === null ? '' : t`least similarity ${cluster.leastSimilarity}`)));
  shelf = el('div', {
    class: 'shelf', role: 'group', 'aria-label': t`Clusters; arrow keys move between them`,
    onpointerleave: () => readOut(clusters[view.cluster]),
    onkeydown: (event) => {
      const at = blocks.indexOf(document.activeElement);
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      const to = event.key === 'Home' ? 0 : event.key === 'End' ? blocks.length - 1 : at + step;
      if (at < 0 || !blocks[to]) return;
      event.preventDefault();
      event.stopPropagation();
      blocks[at].tabIndex = -1;
      blocks[to].tabIndex = 0;
      blocks[to].focus();
    },
  }, blocks);
  const rest = onMap.slice(MAX_BLOCKS);
  const more = rest.length
    ? el('label', { class: 'more' }, `${counted(rest.length, 'smaller cluster')} `,
      el('select', { id: 'map-more', onchange: (event) => choose(event.target.value === '' ? -1 : Number(event.target.value)) },
        el('option', { value: '' }, t`choose…`),
        rest.slice(0, 2000).map((cluster) => el('option', { value: cluster.number }, clusterTitle(cluster)))))
    : null;
  section.replaceChildren(
    el('div', { class: 'heading' }, el('h2', { id: 'map-title' }, t`Clusters`), more), shelf,
    el('p', { id: 'map-line', class: 'note' }));
  markMap();
  layMap();
  new ResizeObserver(layMap).observe(shelf);
};
