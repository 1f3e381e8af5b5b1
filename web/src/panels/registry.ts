/** Which tabs the panel area has, in order. */
import type { Component } from 'svelte';
import type { Key } from '../i18n/index.ts';
import type { TabId } from '../state/app.svelte.ts';

export type Panel = { id: TabId; label: Key; component: Component };

export const PANELS: readonly Panel[] = [];
