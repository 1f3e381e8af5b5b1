/** Which tabs the panel area has, in order. */
import type { Component } from 'svelte';
import type { Key } from '../i18n/index.ts';
import type { TabId } from '../state/app.svelte.ts';
import './parts/panels.css';
import ObjectPanel from './ObjectPanel.svelte';
import ResidentPanel from './ResidentPanel.svelte';
import TakePartPanel from './TakePartPanel.svelte';
import TalkPanel from './TalkPanel.svelte';
import TownPanel from './TownPanel.svelte';

export type Panel = { id: TabId; label: Key; component: Component };

export const PANELS: readonly Panel[] = [
  { id: 'town', label: 'tab.town', component: TownPanel },
  { id: 'resident', label: 'tab.resident', component: ResidentPanel },
  { id: 'talk', label: 'tab.talk', component: TalkPanel },
  { id: 'object', label: 'tab.object', component: ObjectPanel },
  { id: 'take_part', label: 'tab.take_part', component: TakePartPanel },
];
