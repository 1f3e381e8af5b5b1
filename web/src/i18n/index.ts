export { LANGUAGES, choose, language, t, type Key, type Lang } from './index.svelte.ts';
