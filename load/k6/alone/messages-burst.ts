import { messagesBurst } from '../../messages-burst.ts';
import { aloneScript } from '../alone.ts';

const script = aloneScript(messagesBurst);
export const { options, setup, handleSummary, look } = script;
export default script.iterate;
