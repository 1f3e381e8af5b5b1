/**
 * The page's own words in three languages. `t(key, values)` gives the text in the language chosen; a key that a
 * language lacks is told in English. Residents' texts never pass through here: they are shown as they are.
 *
 * The language is, in this order: `?lang=` of the address, what was chosen here before, what the browser asks for.
 */
import en from './en.json';
import ja from './ja.json';
import zh from './zh.json';

export type Key = keyof typeof en;
export type Lang = 'en' | 'zh' | 'ja';

/** Every language with its own name for itself. */
export const LANGUAGES: readonly { code: Lang; name: string }[] = [
  { code: 'en', name: 'English' },
  { code: 'zh', name: '中文' },
  { code: 'ja', name: '日本語' },
];

const words: Record<Lang, Partial<Record<Key, string>>> = { en, zh, ja };
const REMEMBERED = 'townsfolk.lang';

/** Whether the page has words for that key. */
export function isKey(key: string): key is Key {
  return Object.hasOwn(en, key);
}

function isLang(text: string | null | undefined): text is Lang {
  return text === 'en' || text === 'zh' || text === 'ja';
}

function remembered(): string | null {
  try {
    return localStorage.getItem(REMEMBERED);
  } catch {
    return null; // storage may be forbidden; then nothing is remembered
  }
}

function initial(): Lang {
  if (typeof location === 'undefined') return 'en';
  const asked = new URLSearchParams(location.search).get('lang');
  if (isLang(asked)) return asked;
  const before = remembered();
  if (isLang(before)) return before;
  for (const wish of navigator.languages) {
    const code = wish.slice(0, 2).toLowerCase();
    if (isLang(code)) return code;
  }
  return 'en';
}

class Language {
  code: Lang = $state(initial());
  /** What stands between two sentences. */
  gap = $derived(this.code === 'en' ? ' ' : '');
  /** The locale for dates and numbers. */
  locale = $derived({ en: 'en-GB', zh: 'zh-CN', ja: 'ja-JP' }[this.code]);
}

export const language = new Language();

/** Chooses a language and remembers it. */
export function choose(code: Lang): void {
  language.code = code;
  try {
    localStorage.setItem(REMEMBERED, code);
  } catch {
    // not remembered, then
  }
}

/** The text for `key`, with `{name}` replaced by `values.name`. */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  const text = words[language.code][key] ?? en[key];
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
