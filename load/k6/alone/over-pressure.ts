import { overPressure } from '../../over-pressure.ts';
import { aloneScript } from '../alone.ts';

const script = aloneScript(overPressure);
export const { options, setup, handleSummary, look } = script;
export default script.iterate;
