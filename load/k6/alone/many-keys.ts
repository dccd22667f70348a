import { manyKeys } from '../../many-keys.ts';
import { aloneScript } from '../alone.ts';

const script = aloneScript(manyKeys);
export const { options, setup, handleSummary, look } = script;
export default script.iterate;
