// Making elements. Text from documents gets into the page here and nowhere else, as text.

const el = (tag, attributes, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === 'class') element.className = value;
    else if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
};

const SVG = 'http://www.w3.org/2000/svg';
const svg = (tag, attributes, ...children) => {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

const $ = (id) => document.getElementById(id);

// Characters that are not seen but act: controls, those that turn the direction of reading, tags.
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/g;

// Text of a document as nodes: invisible characters that act are shown as their numbers.
const textNodes = (text) => {
  if (text.search(UNSEEN) < 0) return [document.createTextNode(text)];
  const nodes = [];
  let end = 0;
  for (const match of text.matchAll(UNSEEN)) {
    if (match.index > end) nodes.push(document.createTextNode(text.slice(end, match.index)));
    end = match.index + match[0].length;
    if (match[0] === '\r') continue;
    const code = match[0].codePointAt(0).toString(16).toUpperCase().padStart(4, '0');
    nodes.push(el('span', { class: 'unseen-character', title: t`a character that is not seen` }, 'U+' + code));
  }
  if (end < text.length) nodes.push(document.createTextNode(text.slice(end)));
  return nodes;
};

// Where two folders differ: a place from the front and one from the end, at separators.
const difference = (folder, other) => {
  let [from, end] = [0, 0];
  while (from < folder.length && folder[from] === other[from]) from++;
  const least = Math.min(folder.length, other.length) - from;
  while (end < least && folder[folder.length - 1 - end] === other[other.length - 1 - end]) end++;
  from = folder.lastIndexOf('/', from - 1) + 1;
  const to = folder.indexOf('/', Math.max(from, folder.length - end));
  return [from, to < 0 ? folder.length : to];
};

// A document's name, its folder quieter than the rest; where it differs from that of the other document
// of a pair, less so.
const nameOf = (item, other) => {
  const { folder, base, name } = item;
  const [from, to] = other && other.folder !== folder ? difference(folder, other.folder) : [0, 0];
  const part = (text, kind) => (text ? el('span', { class: kind }, text) : null);
  return el('bdi', { class: 'name', lang: '', title: item.title ? `${item.title}\n${name}` : name },
    folder ? el('span', { class: 'folder' }, folder.slice(0, from), part(folder.slice(from, to), 'differs'), folder.slice(to)) : null,
    part(base, other && other.base === base ? 'base equal' : 'base'));
};

// The title of a document, in its own language.
const titleOf = (item) => (item.title ? el('bdi', { class: 'title', lang: item.lang }, textNodes(item.title)) : null);

const copyText = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // A page from a file may not be allowed to; selected text can be copied nevertheless.
    const box = el('textarea', { class: 'unseen', readonly: true });
    box.value = text;
    (document.querySelector('dialog[open]') || document.body).append(box);
    const before = document.activeElement;
    box.select();
    const isCopied = document.execCommand('copy');
    box.remove();
    before?.focus({ preventScroll: true });
    return isCopied;
  }
};

const copyButton = (text, label, about) => {
  const button = el('button', { type: 'button', class: 'quiet small', 'aria-label': about, onclick: async () => {
    button.textContent = (await copyText(text())) ? t`Copied` : t`Not copied`;
    say(button.textContent);
    setTimeout(() => { button.textContent = label; }, 1500);
  } }, label);
  return button;
};

const LINK = data.head[2];

// The address of a line of a document, if the report was given a template.
const addressOf = (item, line) => {
  if (!LINK) return null;
  const [path, first] = item.place || [item.real, line];
  const escaped = path.split('/').map(encodeURIComponent).join('/');
  return LINK.replaceAll('{path}', () => escaped).replaceAll('{line}', () => first);
};

// The actions on the file of a document.
const fileTools = (item, line = 1) => {
  const address = addressOf(item, line);
  return el('span', { class: 'file-tools' },
    copyButton(() => item.real, t`Copy path`, t`Copy the path of ${item.name}`),
    address ? el('a', { class: 'quiet small', href: address, target: '_blank', rel: 'noopener noreferrer', 'aria-label': t`Open ${item.name}` }, t`Open`) : null);
};

const badge = (relation) =>
  el('span', { class: 'relation', 'data-relation': RELATIONS[relation] }, word(RELATIONS[relation]));

const standingChip = (standing) =>
  standing && el('span', { class: 'standing', 'data-standing': standing }, word(standing));

const say = (text) => {
  $('live').textContent = text;
};

const isTyping = (target) => /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) && target.type !== 'range' && target.type !== 'checkbox';
