// The meaning of the measures in plain words: on hover, with the keyboard, by touch, and in the help.

const TERMS = {
  share: [t`Share`, t`How much of the smaller document is in the other one: of all runs of three words (or three characters) in it, the share that the other one has too.`],
  gain: [t`Saves`, t`How much text need not be kept twice: the words, or characters of Chinese and the like, that the documents share. It counts the less, the less of the smaller document is in the other one.`],
  weighted: [t`Weighted`, t`How much of both texts is the same, from 0 to 1, where rare words count more than common ones. It tells copies from pages of one form.`],
  jaccard: [t`Jaccard`, t`How much of both texts is the same, from 0 to 1: of all runs of three words (or three characters) in either text, the share that is in both. 1 is the same text, 0.5 means that two thirds of each is in the other.`],
  hamming: [t`Hamming`, t`Each text has a fingerprint of 64 bits. This is how many of them differ: 0 to 3 for nearly the same words, about half of them for texts that have nothing in common.`],
  leastSimilarity: [t`Least similarity`, t`How alike the documents of a cluster are, from 0 to 1: the lowest Jaccard similarity of a member to the representative, which is the longest member. A low one means that a member has little in common with it.`],
  near: [t`Near`, t`How many of the listed pairs a document is in.`],
};

let tipFor = null;

const hideTip = () => {
  if (!tipFor) return false;
  tipFor.removeAttribute('aria-describedby');
  tipFor = null;
  $('tip').hidden = true;
  return true;
};

const showTip = (element, name) => {
  hideTip();
  const tip = $('tip');
  tip.textContent = TERMS[name][1];
  // A dialog is above everything that is not in it.
  (element.closest('dialog') || document.body).append(tip);
  tip.hidden = false;
  const { left, bottom, top } = element.getBoundingClientRect();
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = Math.max(8, Math.min(left, innerWidth - width - 8)) + 'px';
  tip.style.top = (bottom + height + 12 > innerHeight && top > height + 12 ? top - height - 6 : bottom + 6) + 'px';
  tipFor = element;
  element.setAttribute('aria-describedby', 'tip');
};

// The attributes with which an element shows the meaning of a measure.
const explains = (name) => ({
  onpointerenter: (event) => { if (event.pointerType === 'mouse') showTip(event.currentTarget, name); },
  onpointerleave: (event) => { if (event.pointerType === 'mouse') hideTip(); },
  onfocus: (event) => showTip(event.currentTarget, name),
  onblur: hideTip,
});

// The name of a measure; choosing it shows or hides its meaning.
const explained = (name, label) => {
  let wasShown = false;
  return el('button', {
    type: 'button', class: 'term', ...explains(name),
    onpointerdown: (event) => { wasShown = tipFor === event.currentTarget && event.pointerType !== 'mouse'; },
    onclick: (event) => (wasShown ? hideTip() : showTip(event.currentTarget, name)),
  }, label || TERMS[name][0]);
};

addEventListener('scroll', hideTip, { passive: true, capture: true });
