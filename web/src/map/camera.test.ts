import { describe, expect, test } from 'vitest';
import { Camera } from './camera.ts';

function camera(width = 1200, height = 800): Camera {
  const camera = new Camera();
  camera.resize(width, height);
  camera.town(120, 92);
  return camera;
}

describe('the camera', () => {
  test('shows the whole town at first, and again when the window changes', () => {
    const c = camera();
    for (const [width, height] of [
      [1200, 800],
      [800, 1200],
    ] as const) {
      c.resize(width, height);
      const [from, to] = [c.screen(0, 0), c.screen(120, 92)];
      expect(Math.min(from.x, from.y)).toBeGreaterThanOrEqual(-1e-6);
      expect(to.x).toBeLessThanOrEqual(width + 1e-6);
      expect(to.y).toBeLessThanOrEqual(height + 1e-6);
    }
  });

  test('leaves room above the town for the controls, near and far', () => {
    const c = camera();
    expect(c.screen(0, 0).y).toBeGreaterThanOrEqual(52);
    c.zoom(4);
    c.pan(0, 1e6);
    expect(c.screen(0, 0).y).toBeGreaterThanOrEqual(52);
  });

  test('on a phone begins close enough to see people', () => {
    expect(camera(390, 560).tile).toBeGreaterThanOrEqual(5);
  });

  test('zooms about the point of the hand', () => {
    const c = camera();
    const at = { x: 420, y: 400 };
    const before = c.world(at);
    c.zoom(3, at);
    expect(c.world(at).x).toBeCloseTo(before.x);
    expect(c.world(at).y).toBeCloseTo(before.y);
  });

  test('cannot lose the town, however far it is dragged or zoomed', () => {
    const c = camera();
    c.zoom(1000);
    expect(c.tile).toBe(96);
    c.pan(1e6, -1e6);
    const { x, y } = c.world({ x: 600, y: 400 });
    expect(x).toBeGreaterThanOrEqual(0);
    expect(y).toBeLessThanOrEqual(92);
    c.zoom(1e-6);
    expect(c.tile).toBe(4);
  });

  test('knows the same place from both sides', () => {
    const c = camera();
    c.zoom(2.3, { x: 10, y: 700 });
    const there = c.world(c.screen(33.25, 71.5));
    expect(there.x).toBeCloseTo(33.25);
    expect(there.y).toBeCloseTo(71.5);
  });
});
