// The decisions of a reader about pairs. The browser keeps them under a key of this report's content, and they can be
// exported as lines of a baseline.

const STATES = { fixed: t`Fixed`, intended: t`Intended`, different: t`Not a duplicate` };
const DECISIONS_KEY = 'dupfind-decisions-' + data.key;
const NOTHING = { state: '', note: '' };

// By the number of the pair.
const decisions = new Map();

const readDecisions = () => {
  let kept;
  try {
    kept = JSON.parse(remembered(DECISIONS_KEY) || '[]');
  } catch {
    kept = [];
  }
  for (const [number, state, note] of Array.isArray(kept) ? kept : []) {
    if (pairs[number] && Object.hasOwn(STATES, state)) decisions.set(number, { state, note: String(note) });
  }
};

const decisionOn = (pair) => decisions.get(pair.number) || NOTHING;

// The decision about several pairs; nothing if they have different ones.
const decisionOnAll = (some) => {
  const first = decisionOn(some[0]);
  return some.every((pair) => decisionOn(pair).state === first.state) ? first : NOTHING;
};

const decide = (some, state, note) => {
  for (const { number } of some) {
    if (state) decisions.set(number, { state, note });
    else decisions.delete(number);
  }
  remember(DECISIONS_KEY, JSON.stringify([...decisions].map(([number, decision]) => [number, decision.state, decision.note])));
  markExport();
};

const markExport = () => {
  const button = $('export-open');
  if (!button) return;
  button.hidden = !decisions.size;
  button.textContent = t`Export ${counted(decisions.size, 'decision')}`;
};

// The controls for some pairs. `decided` is called when something was decided.
const decisionControls = (some, about, decided) => {
  const now = decisionOnAll(some);
  const note = el('input', { type: 'text', class: 'decision-note', placeholder: t`Note: why?`, 'aria-label': t`Note on ${about}`, maxlength: 500, hidden: !now.state });
  note.value = now.note;
  const choice = el('select', { class: 'decision', 'aria-label': t`Decision on ${about}` },
    el('option', { value: '' }, t`Undecided`),
    Object.entries(STATES).map(([state, label]) => el('option', { value: state }, label)));
  choice.value = now.state;
  const changed = () => {
    decide(some, choice.value, note.value);
    note.hidden = !choice.value;
    decided?.(choice.value);
  };
  choice.addEventListener('change', changed);
  note.addEventListener('input', changed);
  return el('span', { class: 'decide' }, choice, note);
};

const decidedAs = (...states) => pairs.filter((pair) => states.includes(decisionOn(pair).state));

const reasonFor = (pair) => {
  const { state, note } = decisionOn(pair);
  return note.trim() || STATES[state].toLowerCase();
};

const baselineText = () => {
  const [header, lines] = parsed('lines') || [null, []];
  const accepted = decidedAs('intended', 'different').filter((pair) => lines[pair.number]);
  const withReason = (pair) => `${lines[pair.number].slice(0, -1)},"reason":${JSON.stringify(reasonFor(pair))}}`;
  const all = accepted.map(withReason);
  if (header && all.length) all.unshift(header);
  return all.length ? all.join('\n') + '\n' : '';
};

// Hands a text to the browser as a file.
const saveButton = (text, name) => el('button', { type: 'button', class: 'quiet', onclick: () => {
  const address = URL.createObjectURL(new Blob([text()], { type: 'text/plain' }));
  el('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
} }, t`Save as a file`);

const exported = (id, title, about, text, name) => {
  const content = text();
  const box = el('textarea', { id, readonly: true, rows: 7, spellcheck: 'false', 'aria-label': title, wrap: 'off' });
  box.value = content;
  return el('section', {}, el('h3', {}, title), el('p', { class: 'note' }, about),
    content ? [box, el('p', { class: 'buttons' }, copyButton(() => content, t`Copy`, t`Copy: ${title}`), saveButton(() => content, name))]
      : el('p', {}, t`Nothing that was decided is one.`));
};

const openExport = () => {
  const [header] = parsed('lines') || [null];
  const fixed = decidedAs('fixed').length;
  const outside = decidedAs('intended', 'different').filter((pair) => !(parsed('lines')?.[1][pair.number])).length;
  $('export').replaceChildren(
    el('h2', { id: 'export-title' }, t`Export what was decided`),
    fixed ? el('p', { class: 'note' }, fixed === 1 ? t`1 pair is marked as fixed: the next scan does not find them, so nothing is exported.` : t`${count(fixed)} pairs are marked as fixed: the next scan does not find them, so nothing is exported.`) : '',
    exported('export-baseline', t`Lines of a baseline`,
      (header ? t`Save them as .dupfind-baseline in the folder where the scan ran: dupfind check accepts them. A pair is accepted until it becomes more alike.`
        : t`Add them to the baseline of this check. A pair is accepted until it becomes more alike.`)
      + (outside === 1 ? t` 1 pair of relations that the baseline does not hold is left out.` : outside ? t` ${count(outside)} pairs of relations that the baseline does not hold are left out.` : ''),
      baselineText, 'dupfind-baseline.jsonl'),
    el('p', { class: 'buttons' }, el('button', { type: 'button', class: 'quiet', onclick: () => $('export').close() }, t`Close `, el('kbd', {}, 'Esc'))));
  $('export').showModal();
};
