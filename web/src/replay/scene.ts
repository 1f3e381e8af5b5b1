/**
 * The town at the end of one tick, as the map shows it, and how one tick changes it.
 *
 * A scene is made from a `State` and moved on by `Frame`s; it knows no server and no clock. Frames must come in order and
 * none may be left out between the scene's tick and the frame's: the reel sees to that.
 */
import type { Action, Frame, ObjectState, PlaceId, ResidentId, State, Tick } from '../api/types.ts';

export type Facing = 'down' | 'up' | 'left' | 'right';

export type Figure = {
  readonly id: ResidentId;
  x: number;
  y: number;
  facing: Facing;
  action: Action | null;
};

/** A talk going on, with its latest line. */
export type OpenTalk = {
  readonly id: number;
  readonly a: ResidentId;
  readonly b: ResidentId;
  line: { speaker: ResidentId; text: string; tick: Tick } | null;
};

export class Scene {
  tick: Tick;
  readonly figures: Map<ResidentId, Figure>;
  readonly objects: Map<PlaceId, ObjectState>;
  readonly talks: Map<number, OpenTalk>;

  private constructor(
    tick: Tick,
    figures: Map<ResidentId, Figure>,
    objects: Map<PlaceId, ObjectState>,
    talks: Map<number, OpenTalk>,
  ) {
    this.tick = tick;
    this.figures = figures;
    this.objects = objects;
    this.talks = talks;
  }

  static of(state: State): Scene {
    const talks = new Map<number, OpenTalk>();
    for (const talk of state.talks) {
      const last = talk.lines.at(-1);
      talks.set(talk.id, {
        id: talk.id,
        a: talk.a,
        b: talk.b,
        line: last ? { speaker: last.speaker, text: last.text, tick: last.tick } : null,
      });
    }
    return new Scene(
      state.tick,
      new Map(state.residents.map(({ id, x, y, action }) => [id, { id, x, y, facing: 'down', action }])),
      new Map(state.objects.map((object) => [object.place, object])),
      talks,
    );
  }

  clone(): Scene {
    return new Scene(
      this.tick,
      new Map(Array.from(this.figures, ([id, figure]) => [id, { ...figure }])),
      new Map(this.objects),
      new Map(Array.from(this.talks, ([id, talk]) => [id, { ...talk }])),
    );
  }

  /** Brings in what happened in a later tick. */
  apply(frame: Frame): void {
    this.tick = frame.tick;
    for (const [id, x, y] of frame.moves ?? []) {
      const figure = this.figures.get(id);
      if (figure) {
        figure.facing = facing(x - figure.x, y - figure.y, figure.facing);
        figure.x = x;
        figure.y = y;
      } else {
        this.figures.set(id, { id, x, y, facing: 'down', action: null });
      }
    }
    for (const id of frame.left ?? []) this.figures.delete(id);
    for (const action of frame.actions ?? []) {
      const figure = this.figures.get(action.resident);
      if (figure) figure.action = action;
    }
    for (const object of frame.objects ?? []) this.objects.set(object.place, object);
    for (const { id, a, b } of frame.talks ?? []) this.talks.set(id, { id, a, b, line: null });
    for (const { talk, speaker, text } of frame.lines ?? []) {
      const open = this.talks.get(talk);
      if (open) open.line = { speaker, text, tick: frame.tick };
    }
    for (const { talk } of frame.ends ?? []) this.talks.delete(talk);
  }
}

/** Where somebody looks who took this step; sideways wins, and who stands still goes on looking. */
export function facing(dx: number, dy: number, before: Facing): Facing {
  if (dx !== 0 && Math.abs(dx) >= Math.abs(dy)) return dx < 0 ? 'left' : 'right';
  if (dy !== 0) return dy < 0 ? 'up' : 'down';
  return before;
}
