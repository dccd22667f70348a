import type { z } from 'zod';
import { deploymentSchema, keyNamesSchema } from '../../contract/deployment.ts';
import { type RequestTemplate, requestTemplateSchema } from '../../contract/request-template.ts';
import { plainly } from '../mistakes/plainly.ts';
import type { FirstSettings } from './config-text.ts';

/** What is asked for a first settings file. */
export type QuestionName = 'url' | 'keyEnv' | 'standard' | 'messages' | 'below' | 'media' | 'otherError';

export type Question = {
  readonly name: QuestionName;
  /** The flag that answers it. */
  readonly flag: string;
  /** What stands behind it, in a word. */
  readonly takes: string;
  readonly text: string;
  /** What an empty answer stands for; `null` where there has to be one. */
  readonly usual: string | null;
};

/** In their order. */
export const questions: readonly Question[] = [
  {
    name: 'url',
    flag: '--url',
    takes: 'url',
    text: 'Base URL of the deployment, e.g. https://api.example.test',
    usual: null,
  },
  {
    name: 'keyEnv',
    flag: '--key-env',
    takes: 'names',
    text: 'Names of the environment variables that hold two API keys (the names, not the keys)',
    usual: 'KEY_A,KEY_B',
  },
  {
    name: 'standard',
    flag: '--standard',
    takes: 'request',
    text: 'A request to a standard route',
    usual: 'GET /v1/status',
  },
  {
    name: 'messages',
    flag: '--messages',
    takes: 'request',
    text: 'A request to /v1/messages; a POST would send real messages, up to 900 a run',
    usual: 'GET /v1/messages?limit=1',
  },
  {
    name: 'below',
    flag: '--below',
    takes: 'request',
    text: 'A request below /v1/messages that is answered 2xx, e.g. GET /v1/messages/ID of one that is there',
    usual: 'none',
  },
  {
    name: 'media',
    flag: '--media',
    takes: 'request',
    text: 'A media upload: a small file is sent, up to 100 times a run',
    usual: 'POST /v1/media',
  },
  {
    name: 'otherError',
    flag: '--other-error',
    takes: 'request',
    text: 'A request that gets an error other than 429',
    usual: 'GET /v1/no-such-path',
  },
];

export type Answers = Readonly<Record<QuestionName, string>>;

/**
 * What is wrong with an answer, in a sentence that does not repeat it; `null` where nothing is.
 * @param env the environment, whose names are no keys.
 */
export function flawOf(
  name: QuestionName,
  answer: string,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  switch (name) {
    case 'url':
      return flawBy(deploymentSchema.shape.baseUrls, words(answer));
    case 'keyEnv':
      return flawBy(keyNamesSchema, words(answer)) ?? keyFlaw(words(answer), env);
    case 'standard':
    case 'messages':
    case 'below':
    case 'media':
    case 'otherError':
      return requestFlaw(answer);
    default:
      return name satisfies never;
  }
}

function flawBy(schema: z.ZodType, value: unknown): string | null {
  const result = schema.safeParse(value, plainly);
  return result.success ? null : `It ${result.error.issues[0]?.message ?? 'cannot be used'}.`;
}

/** A key in capitals has the form of a name, and would be written into the file. */
function keyFlaw(names: readonly string[], env: Readonly<Record<string, string | undefined>>): string | null {
  const isKey = (name: string): boolean => env[name] === undefined && /^(?=.*\d)[A-Z0-9]{16,}$/.test(name);
  return names.some(isKey)
    ? 'It looks like a key itself: give the name of the variable that holds it.'
    : null;
}

function requestFlaw(answer: string): string | null {
  if (answer === 'none') return null;
  const form = 'It must be a method and a path, e.g. "GET /v1/status", or "none".';
  const request = requestIn(answer);
  return request !== null && requestTemplateSchema.safeParse(request).success ? null : form;
}

type RequestInput = z.input<typeof requestTemplateSchema>;

function requestIn(answer: string): RequestInput | null {
  const [, method = '', path = ''] = /^([A-Za-z]+) +(\/\S*)$/.exec(answer.trim()) ?? [];
  if (path === '') return null;
  return { method: method.toUpperCase() as RequestTemplate['method'], path };
}

function words(answer: string): readonly string[] {
  return answer.split(/[\s,]+/).filter((word) => word !== '');
}

const hasBody = /^(POST|PUT|PATCH)$/;
const fileBytes = 64;

/** Settings from answers that have no flaw. A body of JSON has to be filled in by hand; an upload gets a small file. */
export function settingsFrom(answers: Answers): FirstSettings {
  const request = (name: QuestionName): RequestInput | undefined => {
    const found = requestIn(answers[name]);
    if (found === null) return undefined;
    if (!hasBody.test(found.method ?? 'GET')) return found;
    const body = name === 'media' ? { file: { field: 'file', bytes: fileBytes } } : { json: {} };
    return { ...found, body };
  };
  const all = {
    standard: request('standard'),
    messages: request('messages'),
    messagesSubpath: request('below'),
    media: request('media'),
    otherError: request('otherError'),
  };
  return {
    baseUrls: [...words(answers.url)],
    keyEnv: [...words(answers.keyEnv)],
    requests: Object.fromEntries(Object.entries(all).filter(([, one]) => one !== undefined)),
  };
}
