/** Light or dark: as the system has it, unless somebody chose; and the colours of it that the map's letters need. */
import type { Ink } from '../map/text.ts';

export type Choice = 'system' | 'light' | 'dark';

const REMEMBERED = 'townsfolk.theme';

class Theme {
  choice: Choice = $state('system');
  private system_dark: boolean = $state(false);
  readonly dark: boolean = $derived(this.choice === 'dark' || (this.choice === 'system' && this.system_dark));

  constructor() {
    const query = matchMedia('(prefers-color-scheme: dark)');
    this.system_dark = query.matches;
    query.addEventListener('change', () => (this.system_dark = query.matches));
    try {
      const before = localStorage.getItem(REMEMBERED);
      if (before === 'light' || before === 'dark') this.choose(before);
    } catch {
      // storage may be forbidden; then the system decides
    }
  }

  choose(choice: Choice): void {
    this.choice = choice;
    if (choice === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = choice;
    try {
      localStorage.setItem(REMEMBERED, choice);
    } catch {
      // not remembered, then
    }
  }

  /** The colours of bubbles and plates on the map. */
  ink(): Ink {
    return this.dark
      ? { paper: '#24272e', text: '#ece8df', line: '#5a606c', accent: '#7cc79f', accent_text: '#10201a', name: '#f4efe4', halo: 'rgba(22, 20, 30, 0.85)', sign: '#515a6e', rim: 'rgba(244, 239, 228, 0.9)' }
      : { paper: '#fffdf8', text: '#26221b', line: '#8a8171', accent: '#2f6b4f', accent_text: '#ffffff', name: '#2b2433', halo: 'rgba(255, 252, 244, 0.92)', sign: '#f9e2b4', rim: 'rgba(60, 48, 30, 0.8)' };
  }
}

export const theme = new Theme();
