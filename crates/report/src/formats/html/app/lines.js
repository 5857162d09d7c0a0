// Stretches of a document as numbered lines.

const startsOf = (text) => {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
};

// A document of a pair, ready to be shown.
const sideOf = (item) => {
  const text = textOf(item);
  return { item, text, starts: startsOf(text) };
};

// The number of the line of a place, from 1.
const lineOf = (side, at) => {
  let [low, high] = [0, side.starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (side.starts[middle] <= at) low = middle + 1;
    else high = middle;
  }
  return low;
};

const goesOn = (side, at) => side.text.slice(side.starts[lineOf(side, at) - 1], at).trim() !== '';

// Returns the lines of a stretch, from its beginning and the lengths of equal and changed text by turns. Blank lines
// become a little room before the next line.
const linesOf = (side, start, lengths) => {
  const lines = [];
  let text = null;
  let number = lineOf(side, start);
  let isBlank = true;
  let first = goesOn(side, start);
  let room = false;
  const close = () => {
    if (text && !isBlank) {
      const line = el('div', { class: 'line' + (room ? ' room' : '') + (first ? ' goes-on' : ''), 'data-n': first ? '' : number }, text);
      lines.push(line);
      room = false;
    } else if (lines.length) {
      room = true;
    }
    text = null;
    isBlank = true;
    first = false;
  };
  let at = start;
  lengths.forEach((length, turn) => {
    const end = at + length;
    while (at < end) {
      const found = side.text.indexOf('\n', at);
      const stop = found < 0 || found >= end ? end : found;
      text ??= el('span', { class: 'text' });
      if (stop > at) {
        const part = side.text.slice(at, stop);
        isBlank &&= part.trim() === '';
        text.append(...(turn % 2 ? [el('mark', {}, textNodes(part))] : textNodes(part)));
      }
      at = stop;
      if (at < end) {
        close();
        at++;
        number++;
      }
    }
  });
  close();
  return lines;
};

// Whether a place begins a line and the one before it is blank.
const isAfterBlank = (side, at) => {
  const number = lineOf(side, at);
  return number > 1 && side.starts[number - 1] === at && side.text.slice(side.starts[number - 2], at).trim() === '';
};

const sumOf = (lengths) => lengths.reduce((sum, length) => sum + length, 0);

const cellOf = (side, name, start, lengths) =>
  el('div', { class: 'half ' + name, lang: side.item.lang }, sumOf(lengths) ? linesOf(side, start, lengths) : null);

const besides = (kind, ...halves) => el('div', { class: 'beside ' + kind }, halves);

// First and last line of a stretch, without the blank ones around it.
const linesText = (side, start, length) => {
  const text = side.text.slice(start, start + length);
  const from = lineOf(side, start + (text.length - text.trimStart().length));
  const to = lineOf(side, start + Math.max(0, text.trimEnd().length - 1));
  return from === to ? t`line ${from}` : t`lines ${from}–${to}`;
};
