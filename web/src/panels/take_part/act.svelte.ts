/** One act upon the town: sent, then taken or refused. */
import { ApiError, post } from '../../api/client.ts';
import type { Input, InputTaken } from '../wire.ts';

export class Act {
  busy = $state(false);
  error: ApiError | null = $state.raw(null);
  taken: InputTaken | null = $state.raw(null);

  /** Sends an input; what came of it stands in the fields and is returned, `null` where it was refused. */
  async send(input: Input): Promise<InputTaken | null> {
    this.busy = true;
    this.error = null;
    this.taken = null;
    try {
      this.taken = await post<InputTaken>('inputs', input);
    } catch (reason) {
      this.error = reason instanceof ApiError ? reason : new ApiError(0, String(reason));
    } finally {
      this.busy = false;
    }
    return this.taken;
  }
}
