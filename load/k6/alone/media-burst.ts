import { mediaBurst } from '../../media-burst.ts';
import { aloneScript } from '../alone.ts';

const script = aloneScript(mediaBurst);
export const { options, setup, handleSummary, look } = script;
export default script.iterate;
