import { nodes } from '../../nodes.ts';
import { aloneScript } from '../alone.ts';

const script = aloneScript(nodes);
export const { options, setup, handleSummary, look } = script;
export default script.iterate;
