import { rollingWindow } from '../../rolling-window.ts';
import { aloneScript } from '../alone.ts';

const script = aloneScript(rollingWindow);
export const { options, setup, handleSummary, look } = script;
export default script.iterate;
