/**
 * The light of the hour, as one picture with a pixel for each tile that is multiplied with the town: dusk and night
 * outdoors, lamplight in the rooms in which somebody is awake and under what glows by itself, such as street lamps.
 * Enlarged smoothly, it gives soft edges for nothing.
 */
import { CanvasSource, Container, Sprite, Texture } from 'pixi.js';
import type { Place, TownMap } from '../api/types.ts';
import type { Scene } from '../replay/scene.ts';
import { FAR } from './ground.ts';
import { indoorSectors } from './indoors.ts';
import { LAMP, darkness, daylight, type Tint } from './daylight.ts';
import { glow, lamps, type Glow } from './lamps.ts';

/** Towns with more tiles on a side get one pixel for several. */
const LARGEST = 1024;

const css = ({ red, green, blue }: Tint, alpha = 1): string => `rgba(${red}, ${green}, ${blue}, ${alpha})`;

export class Night {
  readonly container = new Container();
  private readonly sprite: Sprite;
  /** The land around the town, where no lamps are. */
  private readonly around: Sprite[];
  private readonly canvas: HTMLCanvasElement;
  private readonly context: CanvasRenderingContext2D;
  private readonly source: CanvasSource;
  private readonly step: number;
  private readonly rooms: Place[];
  private readonly roomOf: Int32Array;
  private readonly width: number;
  private readonly glow: readonly Glow[];
  private painted = '';

  constructor(map: TownMap) {
    this.width = map.width;
    this.step = Math.max(1, Math.ceil(Math.max(map.width, map.height) / LARGEST));
    this.canvas = document.createElement('canvas');
    this.canvas.width = Math.ceil(map.width / this.step);
    this.canvas.height = Math.ceil(map.height / this.step);
    const context = this.canvas.getContext('2d');
    if (!context) throw new Error('This browser draws no pictures (no 2D canvas).');
    this.context = context;
    this.source = new CanvasSource({ resource: this.canvas, scaleMode: 'linear' });
    this.sprite = new Sprite(new Texture({ source: this.source }));
    this.sprite.scale.set(this.step);
    this.sprite.blendMode = 'multiply';
    this.container.visible = false;
    this.around = [
      [-FAR, -FAR, map.width + 2 * FAR, FAR],
      [-FAR, map.height, map.width + 2 * FAR, FAR],
      [-FAR, 0, FAR, map.height],
      [map.width, 0, FAR, map.height],
    ].map(([x = 0, y = 0, width = 0, height = 0]) => {
      const sprite = new Sprite(Texture.WHITE);
      sprite.position.set(x, y);
      sprite.setSize(width, height);
      sprite.blendMode = 'multiply';
      return sprite;
    });
    this.container.addChild(this.sprite, ...this.around);
    this.roomOf = new Int32Array(map.width * map.height).fill(-1);
    this.glow = glow(lamps(map), map);
    this.rooms = map.places.filter((place) => place.kind === 'arena');
    const indoors = indoorSectors(map);
    this.rooms.forEach((room, index) => {
      if (!indoors.has(room.parent ?? -1)) return;
      for (const [x, y, length] of room.spans) this.roomOf.fill(index, y * map.width + x, y * map.width + x + length);
    });
  }

  /** Brings the light up to the minute of the day; gives how dark it is, from 0 to 1. */
  update(scene: Scene, minute: number): number {
    const tint = daylight(minute);
    const dark = darkness(tint);
    this.container.visible = tint.red + tint.green + tint.blue < 765;
    if (!this.container.visible) return dark;
    for (const sprite of this.around) sprite.tint = (tint.red << 16) | (tint.green << 8) | tint.blue;
    const lit = new Set<number>();
    if (dark > 0) {
      for (const { x, y, action } of scene.figures.values()) {
        if (action === null || action.status === 'asleep') continue;
        const room = this.roomOf[y * this.width + x] ?? -1;
        if (room >= 0) lit.add(room);
      }
    }
    const wanted = `${css(tint)} ${[...lit].sort((a, b) => a - b).join()}`;
    if (wanted === this.painted) return dark;
    this.painted = wanted;
    const { context, step } = this;
    context.fillStyle = css(tint);
    context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    const lamp: Tint = {
      red: Math.round(tint.red + (LAMP.red - tint.red) * dark),
      green: Math.round(tint.green + (LAMP.green - tint.green) * dark),
      blue: Math.round(tint.blue + (LAMP.blue - tint.blue) * dark),
    };
    for (const [grow, alpha] of [
      [2, 0.14],
      [1, 0.3],
      [0, 1],
    ] as const) {
      context.fillStyle = css(lamp, alpha);
      for (const room of lit) {
        for (const [x, y, length] of this.rooms[room]?.spans ?? []) {
          context.fillRect((x - grow) / step, (y - grow) / step, (length + grow * 2) / step, (1 + grow * 2) / step);
        }
      }
    }
    if (dark > 0) {
      for (const { x, y, strength } of this.glow) {
        context.fillStyle = css(lamp, strength);
        context.fillRect(x / step, y / step, 1 / step, 1 / step);
      }
    }
    this.source.update();
    return dark;
  }

  destroy(): void {
    this.sprite.destroy({ texture: true, textureSource: true });
    this.container.destroy({ children: true });
  }
}
