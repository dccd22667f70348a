import { sustained } from '../../sustained.ts';
import { aloneScript } from '../alone.ts';

const script = aloneScript(sustained);
export const { options, setup, handleSummary, look } = script;
export default script.iterate;
