import { noisyNeighbour } from '../../noisy-neighbour.ts';
import { aloneScript } from '../alone.ts';

const script = aloneScript(noisyNeighbour);
export const { options, setup, handleSummary, look } = script;
export default script.iterate;
