// One pair: its measures, where its passages are, and the documents side by side.

const [PASSAGE, MOVED, ONLY, ELSEWHERE] = [0, 1, 2, 3];

// So many blocks that are the same in a row are folded, but for some beside a change.
const LEAST_FOLDED = 8;
const CONTEXT = 2;

// More moved passages are summed up, those that follow each other in groups.
const MAX_MOVED = 12;
const MOVED_TOGETHER = 2;

let showsEqual = false;
let current = null;
let changes = [];
let changeAt = -1;

const quoted = (name) => (/^[\w./:@%+=,-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`);
const commandFor = (pair) => {
  const names = [pair.a.name, pair.b.name].map((name) => (name.startsWith('-') ? './' + name : name));
  return 'dupfind compare ' + names.map(quoted).join(' ') + data.head[3];
};

const command = (pair) => {
  const text = commandFor(pair);
  const button = el('button', { type: 'button', class: 'quiet', onclick: () => {
    navigator.clipboard?.writeText(text).then(() => { button.textContent = t`Copied`; }, () => {});
  } }, t`Copy`);
  return el('p', { class: 'command' }, el('code', {}, el('bdi', {}, text)), button);
};

const percent = (part, whole) => (whole ? `${(Math.floor((1000 * part) / whole) / 10).toFixed(1)} %` : '–');

const detectorsOf = (pair) => ['simhash', 'shingle', 'containment', 'super-shingle', 'i-match', 'weighted'].filter((_, bit) => pair.foundBy & (1 << bit)).join(', ');

const term = (label, value, steps) => el('div', {}, el('dt', {}, TERMS[label] ? explained(label) : label), el('dd', {}, value, steps === undefined ? null : bar(steps)));

const measures = (pair) => el('dl', { class: 'measures' },
  pair.shares ? term('share', t`${pair.shares[0]} % of A · ${pair.shares[1]} % of B`) : null,
  term('weighted', measure(pair.weighted), pair.weighted),
  term('jaccard', measure(pair.jaccard), pair.jaccard),
  term('hamming', pair.hamming === null ? '–' : t`${pair.hamming} of 64 bits`),
  term(t`Found by`, detectorsOf(pair)));

const lengthOf = (blocks, side) => blocks.reduce((sum, block) => sum + sumOf(block[side]), 0);

// Where the passages are: A above, B below, a band for each passage.
const bands = (rows, a, b, jump) => {
  const longest = Math.max(a.text.length, b.text.length, 1);
  const x = (at) => (1000 * at) / longest;
  const picture = svg('svg', { viewBox: '0 0 1000 60', preserveAspectRatio: 'none', class: 'bands', 'aria-hidden': 'true' },
    svg('rect', { class: 'all', x: 0, y: 0, width: x(a.text.length), height: 9 }),
    svg('rect', { class: 'all', x: 0, y: 51, width: x(b.text.length), height: 9 }));
  let number = 0;
  for (const row of rows) {
    if (row[0] === null) number++;
    if (row[0] !== PASSAGE && row[0] !== MOVED) continue;
    const [kind, startA, startB, , blocks] = row;
    const [a0, a1] = [x(startA), Math.max(x(startA + lengthOf(blocks, 0)), x(startA) + 1.5)];
    const [b0, b1] = [x(startB), Math.max(x(startB + lengthOf(blocks, 1)), x(startB) + 1.5)];
    const to = number++;
    const band = svg('path', { class: kind === MOVED ? 'band moved' : 'band', d: `M${a0} 0H${a1}V9C${a1} 30 ${b1} 30 ${b1} 51V60H${b0}V51C${b0} 30 ${a0} 30 ${a0} 9Z` });
    band.addEventListener('click', () => jump(to));
    picture.append(band);
  }
  return el('div', { class: 'bands-box' }, el('span', { 'aria-hidden': 'true' }, 'A'), el('span', { 'aria-hidden': 'true' }, 'B'), picture);
};

const isEqual = (block) => block[0].length < 2 && block[1].length < 2;

const foldButton = (hidden) => {
  const button = el('button', { type: 'button', class: 'fold', onclick: () => {
    hidden.forEach((row) => { row.hidden = false; });
    button.remove();
  } }, `⋯ ${counted(hidden.length, 'equal paragraph')}`);
  hidden.forEach((row) => { row.hidden = true; });
  return button;
};

// Puts a button before the middle of many blocks that are the same.
const foldedBlocks = (drawn, blocks) => {
  const out = [];
  for (let at = 0; at < drawn.length;) {
    let end = at;
    while (end < drawn.length && isEqual(blocks[end])) end++;
    const [from, to] = [at + (at ? CONTEXT : 1), end - (end < drawn.length ? CONTEXT : 1)];
    if (!showsEqual && to - from >= LEAST_FOLDED) {
      out.push(...drawn.slice(at, from), foldButton(drawn.slice(from, to)), ...drawn.slice(from, end));
    } else {
      out.push(...drawn.slice(at, end));
    }
    if (end < drawn.length) out.push(drawn[end]);
    at = end + 1;
  }
  return out;
};

const drawPassage = (row, number, a, b) => {
  const [kind, startA, startB, same, blocks] = row;
  const isMoved = kind === MOVED;
  const box = el('section', { class: isMoved ? 'passage moved' : 'passage', id: 'passage-' + number, tabindex: -1 });
  const where = t`${linesText(a, startA, lengthOf(blocks, 0))} of A, ${linesText(b, startB, lengthOf(blocks, 1))} of B`;
  const edits = blocks.reduce((sum, block) => sum + Math.max(block[0].length >> 1, block[1].length >> 1), 0);
  box.setAttribute('aria-label', (isMoved ? t`Moved passage: ` : t`Shared passage: `) + where);
  box.append(el('p', { class: 'where' }, isMoved ? el('b', {}, t`moved `) : null, where,
    t` · ${inWords(same)} the same` + (edits ? ` · ${counted(edits, 'change')}` : '')));
  let [atA, atB] = [startA, startB];
  const drawn = blocks.map((block, at) => {
    // Room before a paragraph is for both sides, or they would no longer be at one height.
    const room = at && (isAfterBlank(a, atA) || isAfterBlank(b, atB)) ? ' room' : '';
    const beside = besides((isEqual(block) ? 'equal' : 'changed') + room, cellOf(a, 'a', atA, block[0]), cellOf(b, 'b', atB, block[1]));
    atA += sumOf(block[0]);
    atB += sumOf(block[1]);
    return beside;
  });
  box.append(...foldedBlocks(drawn, blocks));
  return box;
};

const drawOnly = ([, startA, lengthA, startB, lengthB], a, b) =>
  besides('only', cellOf(a, 'a', startA, [lengthA]), cellOf(b, 'b', startB, [lengthB]));

const jumpTo = (number) => {
  for (const run of document.querySelectorAll('.moved-run')) {
    if (number >= run.dataset.from && number < run.dataset.to) {
      run.open = true;
      run.fill();
    }
  }
  const passage = $('passage-' + number);
  passage.scrollIntoView({ block: 'start' });
  passage.focus({ preventScroll: true });
};

const isPassage = (row) => row[0] === PASSAGE || row[0] === MOVED;

// The line where the first passage begins in a document; `at` is its place in a row.
const firstLine = (rows, side, at) => {
  const first = rows.find(isPassage);
  if (!first) return 1;
  const start = first[at];
  return lineOf(side, start + side.text.slice(start).search(/[\p{L}\p{N}]|$/u));
};

const drawElsewhere = (rows) =>
  besides('elsewhere', el('div', { class: 'half a' }), el('div', { class: 'half b' },
    el('button', { type: 'button', class: 'quiet', onclick: () => jumpTo(rows[0][1]) },
      rows.length === 1 ? t`A passage that was moved is here: show it` : t`${count(rows.length)} passages that were moved are here: show the first`)));

// Many moved passages in a row are one line to open; places of others are joined.
const drawTangled = (rows, a, b) => {
  const out = [];
  let number = 0;
  for (let at = 0; at < rows.length;) {
    const kind = rows[at][0];
    let end = at + 1;
    if (kind === MOVED || kind === ELSEWHERE) while (end < rows.length && rows[end][0] === kind) end++;
    const run = rows.slice(at, end);
    if (kind === ONLY) out.push(drawOnly(run[0], a, b));
    else if (kind === ELSEWHERE) out.push(drawElsewhere(run));
    else if (run.length <= MOVED_TOGETHER) out.push(...run.map((row) => drawPassage(row, number++, a, b)));
    else out.push(foldedPassages(run, number, a, b)), number += run.length;
    at = end;
  }
  return out;
};

// Passages that are drawn on request.
const foldedPassages = (run, number, a, b) => {
  const units = run.reduce((sum, row) => sum + row[3], 0);
  const lengthOfRun = (side, at) => {
    const places = run.map((row) => [row[at], row[at] + lengthOf(row[4], at - 1)]);
    const [from, to] = [Math.min(...places.map(([start]) => start)), Math.max(...places.map(([, stop]) => stop))];
    return linesText(side, from, to - from);
  };
  const box = el('details', { class: 'moved-run', 'data-from': number, 'data-to': number + run.length },
    el('summary', {}, el('b', {}, t`${count(run.length)} moved passages`), t` · ${lengthOfRun(a, 1)} of A, ${lengthOfRun(b, 2)} of B · ${inWords(units)} the same`));
  box.fill = () => {
    if (box.children.length === 1) box.append(...run.map((row, at) => drawPassage(row, number + at, a, b)));
  };
  box.addEventListener('toggle', box.fill);
  return box;
};

// The note in place of a tangle of bands, which are drawn only for passages in the same order.
const tangleNote = (rows, passages, moved, a, b) => {
  const same = rows.filter(isPassage).reduce((sum, row) => sum + row[3], 0);
  const inOrder = rows.filter((row) => row[0] === PASSAGE).reduce((sum, row) => sum + row[3], 0);
  const box = el('div', { class: 'tangle' });
  const draw = (isAll) => {
    box.replaceChildren(
      bands(isAll ? rows : rows.map((row) => (row[0] === MOVED ? [null] : row)), a, b, jumpTo),
      el('p', { class: 'note' }, el('b', {}, t`${count(passages)} passages are shared, and ${count(moved)} of them are in another order.`),
        t` Those in one order have ${percent(inOrder, same)} of what is the same. `,
        el('button', { type: 'button', class: 'quiet small', 'aria-pressed': String(isAll), onclick: () => draw(!isAll) }, t`Draw all of them`)));
  };
  draw(false);
  return box;
};

const drawTexts = (pair, rows) => {
  const [a, b] = [sideOf(pair.a), sideOf(pair.b)];
  let number = 0;
  const passages = rows.filter(isPassage).length;
  const moved = rows.filter((row) => row[0] === MOVED).length;
  const isTangled = moved > MAX_MOVED;
  const drawn = isTangled ? drawTangled(rows, a, b) : rows.map((row) => {
    if (row[0] === ONLY) return drawOnly(row, a, b);
    if (row[0] === ELSEWHERE) return drawElsewhere([row]);
    return drawPassage(row, number++, a, b);
  });
  const cut = [['A', pair.a], ['B', pair.b]].filter(([, item]) => item.cut).map(([name]) => name);
  return [
    isTangled ? tangleNote(rows, passages, moved, a, b) : bands(rows, a, b, jumpTo),
    cut.length ? el('div', { class: 'cut' }, t`${cut.join(t` and `)}: only the beginning is shown. All of it, on a command line:`, command(pair)) : '',
    el('div', { class: 'heads' }, headOf('A', pair.a, pair.b, firstLine(rows, a, 1)), headOf('B', pair.b, pair.a, firstLine(rows, b, 2))),
    el('div', { lang: '', class: 'texts' + (passages ? '' : ' bare') + (isTangled ? ' tangled' : '') }, passages ? null : el('p', { class: 'note' }, t`They share no passage.`), drawn),
  ];
};

const headOf = (name, item, other, line) =>
  el('div', { class: 'half-head' }, el('b', {}, name), el('span', { class: 'head-name' }, titleOf(item), nameOf(item, other)), fileTools(item, line), item.changed ? el('span', { class: 'standing', 'data-standing': 'new' }, t`changed`) : null);

const WHY_NOT = {
  1: t`The texts of this pair are not in the report. To see them, on a command line:`,
  2: t`A document of this pair could not be read again when the report was made. To try again:`,
  3: t`A document of this pair was changed since it was compared, so its text is not shown. As it is now:`,
};

const drawPair = (pair) => {
  current = pair;
  const box = $('pair');
  const place = shown.indexOf(pair);
  const isReady = document.readyState !== 'loading';
  const rows = pair.state === 0 && isReady ? rowsOf(pair) : null;
  const texts = pair.state !== 0 ? [el('div', { class: 'cut' }, WHY_NOT[pair.state], command(pair)), el('div', { class: 'heads' }, headOf('A', pair.a, pair.b), headOf('B', pair.b, pair.a))]
    : rows ? drawTexts(pair, rows) : [el('p', { class: 'note' }, t`Still opening the report…`)];
  const step = (label, key, by) =>
    el('button', { type: 'button', class: 'quiet', disabled: !shown[place + by] || place < 0, onclick: () => stepPair(by) }, label + ' ', el('kbd', {}, key));
  box.replaceChildren(
    el('div', { class: 'pair-bar' },
      el('button', { type: 'button', class: 'quiet', id: 'back', onclick: closePair }, t`← Back `, el('kbd', {}, 'Esc')),
      el('span', { class: 'place' }, place < 0 ? '' : t`${count(place + 1)} of ${count(shown.length)}`),
      step(t`Previous`, 'k', -1), step(t`Next`, 'j', 1),
      el('span', { class: 'spring' }),
      el('button', { type: 'button', class: 'quiet', onclick: () => stepChange(1) }, t`Next change `, el('kbd', {}, 'n')),
      el('button', { type: 'button', class: 'quiet', id: 'equal', 'aria-pressed': String(showsEqual), onclick: toggleEqual }, t`All text `, el('kbd', {}, 'e')),
      el('button', { type: 'button', class: 'quiet theme', onclick: nextTheme })),
    el('article', { 'aria-labelledby': 'pair-title' },
      el('header', { class: 'verdict' },
        el('h2', { id: 'pair-title', tabindex: -1 }, badge(pair.relation), standingChip(pair.standing), el('span', { title: pair.because }, pair.said)),
        el('p', { class: 'decide-line' }, decisionControls([pair], t`this pair`)),
        pair.reason ? el('p', { class: 'note' }, t`Why it was accepted: ${pair.reason}`) : null,
        measures(pair)),
      texts));
  showTheme();
  changes = [...box.querySelectorAll('.passage .changed, .beside.only, .moved-run')];
  changeAt = -1;
  if (pair.state === 0 && !isReady) document.addEventListener('DOMContentLoaded', () => { if (current === pair) drawPair(pair); }, { once: true });
};

const stepChange = (by) => {
  if (!changes.length) return;
  changes[changeAt]?.classList.remove('here');
  changeAt = changeAt < 0 ? (by > 0 ? 0 : changes.length - 1) : (changeAt + by + changes.length) % changes.length;
  const change = changes[changeAt];
  change.classList.add('here');
  change.scrollIntoView({ block: 'center' });
  say(t`Change ${changeAt + 1} of ${changes.length}`);
};

const toggleEqual = () => {
  showsEqual = !showsEqual;
  const top = scrollY;
  drawPair(current);
  scrollTo(0, top);
};
