import { mixedScopes } from '../../mixed-scopes.ts';
import { aloneScript } from '../alone.ts';

const script = aloneScript(mixedScopes);
export const { options, setup, handleSummary, look } = script;
export default script.iterate;
