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
import { glow, lamps } from './lamps.ts';

/** Towns with more tiles on a side get one pixel for several. */
const LARGEST = 1024;

/** How bright it is so many tiles from a lit room, from 0 to 1. */
const ROOM: readonly (readonly [tiles: number, strength: number])[] = [
  [2, 0.3],
  [1, 0.6],
  [0, 1],
];

/** A colour as a pixel. */
const pixel = ({ red, green, blue }: Tint): number => ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;

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
  private readonly image: ImageData;
  private readonly pixels: Uint32Array;
  /** How much lamplight falls on each pixel: of lamps that always shine, and of all. */
  private readonly lamps: Uint8ClampedArray;
  private readonly light: Uint8ClampedArray;
  /** What falls from each room that was lit before: pixel and light by turns. */
  private readonly fall = new Map<number, Int32Array>();
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
    this.image = context.createImageData(this.canvas.width, this.canvas.height);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.light = new Uint8ClampedArray(this.pixels.length);
    this.lamps = new Uint8ClampedArray(this.pixels.length);
    const shine = new Map<number, number>();
    for (const { x, y, strength } of glow(lamps(map), map)) this.shine(shine, x, y, 1, strength);
    for (const [at, light] of shine) this.lamps[at] = light;
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
    const wanted = `${pixel(tint)} ${[...lit].sort((a, b) => a - b).join()}`;
    if (wanted === this.painted) return dark;
    this.painted = wanted;
    this.light.set(this.lamps);
    for (const room of lit) {
      const fall = this.from(room);
      for (let i = 0; i < fall.length; i += 2) {
        const [at, light] = [fall[i]!, fall[i + 1]!];
        if (this.light[at]! < light) this.light[at] = light;
      }
    }
    const colours = Uint32Array.from({ length: 256 }, (_, light) => {
      const mix = (from: number, to: number): number => Math.round(from + ((to - from) * dark * light) / 255);
      return pixel({ red: mix(tint.red, LAMP.red), green: mix(tint.green, LAMP.green), blue: mix(tint.blue, LAMP.blue) });
    });
    for (let at = 0; at < this.pixels.length; at += 1) this.pixels[at] = colours[this.light[at] ?? 0] ?? 0;
    this.context.putImageData(this.image, 0, 0);
    this.source.update();
    return dark;
  }

  /** What light falls from a room. */
  private from(room: number): Int32Array {
    let fall = this.fall.get(room);
    if (fall === undefined) {
      const shine = new Map<number, number>();
      for (const [x, y, length] of this.rooms[room]?.spans ?? []) {
        for (const [tiles, strength] of ROOM) {
          for (let row = y - tiles; row <= y + tiles; row += 1) this.shine(shine, x - tiles, row, length + tiles * 2, strength);
        }
      }
      fall = Int32Array.from([...shine].flat());
      this.fall.set(room, fall);
    }
    return fall;
  }

  /** Lets light fall on a row of tiles; where more falls already, that stays. */
  private shine(on: Map<number, number>, x: number, y: number, length: number, strength: number): void {
    const { width, height } = this.canvas;
    const row = Math.floor(y / this.step);
    if (row < 0 || row >= height) return;
    const [from, to] = [Math.max(0, Math.floor(x / this.step)), Math.min(width - 1, Math.floor((x + length - 1) / this.step))];
    const light = Math.round(strength * 255);
    for (let at = row * width + from; at <= row * width + to; at += 1) on.set(at, Math.max(on.get(at) ?? 0, light));
  }

  destroy(): void {
    this.sprite.destroy({ texture: true, textureSource: true });
    this.container.destroy({ children: true });
  }
}
