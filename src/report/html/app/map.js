// The map: a block for each cluster, as large as it has documents, stronger in colour the more alike they are.
// Squarified treemap (Bruls, Huizing and van Wijk 2000).

const MOST_BLOCKS = 300;

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
  `Cluster ${cluster.number + 1}: ${counted(cluster.size, 'document')}, cohesion ${cluster.cohesion ?? 'not measured'}, ${cluster.best.name}`;

let blocks = [];
let shelf = null;
let mapWidth = 0;

const layMap = () => {
  const width = shelf.clientWidth;
  if (!width || width === mapWidth) return;
  mapWidth = width;
  const shown = clusters.slice(0, MOST_BLOCKS);
  const documentsShown = shown.reduce((sum, cluster) => sum + cluster.size, 0);
  const height = Math.round(Math.min(280, Math.max(88, shown.length * 12, documentsShown * 3) * (width < 600 ? 1.25 : 1)));
  shelf.style.height = height + 'px';
  const scale = (width * height) / documentsShown;
  squarified(shown.map((cluster) => cluster.size * scale), width, height, (at, x, y, w, h) => {
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
      'A block is a cluster, as large as it has documents, stronger in colour the higher its cohesion. Choose one to list its pairs.');
    return;
  }
  const strongest = RELATIONS[cluster.strongest];
  line.replaceChildren(el('b', {}, `Cluster ${cluster.number + 1}`), ' ', nameOf(cluster.best),
    ` · ${counted(cluster.size, 'document')}` +
    (cluster.cohesion === null ? '' : ` · cohesion ${cluster.cohesion}`) +
    (strongest ? ` · ${counted(cluster.pairs, 'pair')}, strongest ${strongest}` : ''));
};

const markMap = () => {
  shelf?.classList.toggle('chosen', view.cluster >= 0);
  blocks.forEach((block, at) => block.setAttribute('aria-pressed', String(at === view.cluster)));
  const most = $('map-more');
  if (most) most.value = view.cluster >= blocks.length ? view.cluster : '';
  readOut(clusters[view.cluster]);
};

const drawMap = (choose) => {
  if (!clusters.length) return;
  const section = $('map');
  section.hidden = false;
  blocks = clusters.slice(0, MOST_BLOCKS).map((cluster, at) =>
    el('button', {
      type: 'button', class: 'block', 'aria-label': clusterTitle(cluster), tabindex: at ? -1 : 0,
      'data-cohesion': cluster.cohesion === null ? null : Math.min(4, Math.floor(cluster.cohesion * 5)),
      onclick: () => choose(view.cluster === at ? -1 : at),
      onpointerenter: () => readOut(cluster),
      onfocus: () => readOut(cluster),
    }, el('b', {}, count(cluster.size)), el('bdi', {}, cluster.best.base), el('small', {}, cluster.cohesion === null ? '' : `cohesion ${cluster.cohesion}`)));
  shelf = el('div', {
    class: 'shelf', role: 'group', 'aria-label': 'Clusters; arrow keys move between them',
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
  const rest = clusters.slice(MOST_BLOCKS);
  const more = rest.length
    ? el('label', { class: 'more' }, `${counted(rest.length, 'smaller cluster')} `,
      el('select', { id: 'map-more', onchange: (event) => choose(event.target.value === '' ? -1 : Number(event.target.value)) },
        el('option', { value: '' }, 'choose…'),
        rest.slice(0, 2000).map((cluster) => el('option', { value: cluster.number }, clusterTitle(cluster)))))
    : null;
  section.replaceChildren(
    el('div', { class: 'heading' }, el('h2', { id: 'map-title' }, 'Clusters'), more), shelf,
    el('p', { id: 'map-line', class: 'note' }));
  markMap();
  layMap();
  new ResizeObserver(layMap).observe(shelf);
};
