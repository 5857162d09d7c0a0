// Light, dark, or as the system has it. Storage may be forbidden to a page from a file.

const THEMES = [['', t`Auto`], ['light', t`Light`], ['dark', t`Dark`]];
const THEME_KEY = 'dupfind-theme';

const remembered = (key) => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};
const remember = (key, value) => {
  try {
    localStorage.setItem(key, value);
  } catch {
    // It is forgotten with the page, then.
  }
};

let theme = Math.max(0, THEMES.findIndex(([name]) => name === remembered(THEME_KEY)));
const showTheme = () => {
  const [name, label] = THEMES[theme];
  if (name) document.documentElement.dataset.theme = name;
  else delete document.documentElement.dataset.theme;
  for (const button of document.querySelectorAll('#theme, .theme')) {
    button.replaceChildren(t`Theme: ${label}` + ' ', el('kbd', {}, 't'));
    button.setAttribute('aria-label', t`Theme: ${label}. Change it`);
  }
};
const nextTheme = () => {
  theme = (theme + 1) % THEMES.length;
  remember(THEME_KEY, THEMES[theme][0]);
  showTheme();
  say(t`Theme: ${THEMES[theme][1]}`);
};
