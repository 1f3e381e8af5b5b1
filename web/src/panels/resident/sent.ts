/** What was said to a model, out of a request as it was recorded. */

/** Who speaks is empty where the request does not say. */
export type Sent = { speaker: string; text: string };

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/**
 * The system text and the turns of a request, in order; of a request of another form its whole JSON, so that nothing
 * is hidden.
 */
export function sent(request: unknown): Sent[] {
  if (!isRecord(request) || !Array.isArray(request['turns'])) {
    return [{ speaker: '', text: typeof request === 'string' ? request : (JSON.stringify(request, null, 1) ?? '') }];
  }
  const turns = request['turns'].filter(isRecord).map((turn) => ({
    speaker: String(turn['speaker'] ?? ''),
    text: String(turn['text'] ?? ''),
  }));
  const system = request['system'];
  return typeof system === 'string' && system !== '' ? [{ speaker: 'system', text: system }, ...turns] : turns;
}
