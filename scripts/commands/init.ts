import { access, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { deploymentSchema } from '../../contract/deployment.ts';
import { secretPlacesIn } from '../../contract/secret/secret-names.ts';
import { messageOf } from '../../contract/thrown.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { type Answers, flawOf, type QuestionName, questions, settingsFrom } from '../../run/init/answers.ts';
import { configText, type FirstSettings } from '../../run/init/config-text.ts';
import { shownPath } from '../../run/shown-path.ts';
import { isLoopback } from '../../run/target/allowed-hosts.ts';
import { defaultConfigName } from '../../run/target/config-file.ts';
import { refuseSecrets } from '../../run/target/secret-settings.ts';
import { openQuestioner } from '../display/questioner.ts';
import { interruptedExitCode } from '../interrupt.ts';
import type { CommandIo } from './command-io.ts';

type InitFlags = Readonly<Partial<Record<QuestionName, string>>> & {
  readonly out: string;
  readonly force?: true;
  readonly yes?: true;
};

/** `conformance init`: writes a first settings file; sends nothing, and reads no key. */
export function initCommand(io: CommandIo): Command {
  const command = new Command('init').description(
    'write a settings file for a deployment, with comments; asks what no flag says; sends nothing',
  );
  for (const { flag, takes, text, usual } of questions) {
    command.option(`${flag} <${takes}>`, `${text}${usual === null ? '' : ` (usual: ${usual})`}`);
  }
  return command
    .option('--out <file>', 'where it goes', defaultConfigName)
    .option('--force', 'write over a file that is there')
    .option('--yes', 'ask nothing: what no flag says is as usual')
    .action((flags: InitFlags) => writeSettings(io, flags));
}

async function writeSettings(io: CommandIo, flags: InitFlags): Promise<void> {
  const path = resolve(io.cwd, flags.out);
  if (!path.endsWith('.ts')) throw new UsageError('--out takes the name of a file of TypeScript, *.ts.');
  if (flags.force !== true) await refuseExisting(path, io.cwd);
  const answers = await answersTo(io, flags);
  if (answers === null) {
    io.stderr.write('interrupted; nothing was written\n');
    io.exit(interruptedExitCode);
    return;
  }
  const settings = settingsFrom(answers);
  const parsed = deploymentSchema.parse(settings);
  refuseSecrets(secretPlacesIn(parsed), 'flags');
  await writeFile(path, configText(settings)).catch((error: unknown) => {
    const why = messageOf(error);
    throw new UsageError(`The settings cannot be written: ${why}. Choose another place with --out.`);
  });
  io.stdout.write(`${nextLines(settings, { shown: shownPath(path, io.cwd) }).join('\n')}\n`);
  io.exit(0);
}

async function refuseExisting(path: string, cwd: string): Promise<void> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) throw new UsageError(`${shownPath(path, cwd)} is there already: --force writes over it.`);
}

/** Flags, then what is asked where somebody sits there, then what is usual; `null` where the questions were broken off. */
async function answersTo(io: CommandIo, flags: InitFlags): Promise<Answers | null> {
  const { stdin, stdout, env } = io;
  const asks = flags.yes !== true && stdin.isTTY === true;
  const questioner = asks ? openQuestioner({ input: stdin, output: stdout }) : null;
  const answers: Partial<Record<QuestionName, string>> = {};
  try {
    for (const question of questions) {
      const { name, flag, usual } = question;
      const check = (answer: string): string | null => flawOf(name, answer, env);
      const given = flags[name];
      const flaw = given === undefined ? null : check(given);
      if (flaw !== null) throw new UsageError(`${flag}: ${flaw}`);
      const answer = given ?? (questioner === null ? usual : await questioner.ask(question, check));
      if (answer === null && questioner === null)
        throw new UsageError(`${flag} is missing: ${question.text}.`);
      if (answer === null) return null;
      answers[name] = answer;
    }
    return answers as Answers;
  } finally {
    questioner?.close();
  }
}

/** What to do next, as it is typed. */
function nextLines(
  { baseUrls, keyEnv }: FirstSettings,
  { shown }: { readonly shown: string },
): readonly string[] {
  const hosts = [...new Set(baseUrls.map((url) => new URL(url).hostname))].filter(
    (host) => !isLoopback(host),
  );
  const flags = [
    ...(shown === defaultConfigName ? [] : ['--config', shown]),
    ...(hosts.length === 0 ? [] : ['--allow-host', hosts.join(',')]),
  ].map((flag) => ` ${flag}`);
  return [
    `wrote   ${shown}`,
    `next    export ${keyEnv.map((name) => `${name}=…`).join(' ')}`,
    `        npm run conformance -- doctor${flags.join('')}`,
    `        npm run conformance -- run${flags.join('')}`,
  ];
}
