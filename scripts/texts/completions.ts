import type { Command, Option } from 'commander';

export const shells = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof shells)[number];

/** A word that a shell offers. */
type Offered = { readonly word: string; readonly about: string };

/** What may follow a command, by the names on the way to it: `/webhooks/drive`; empty for the program itself. */
type Place = {
  readonly at: string;
  readonly commands: readonly Offered[];
  readonly flags: readonly (Offered & {
    /** Empty where anything may follow it; `null` where nothing follows. */
    readonly choices: readonly string[] | null;
  })[];
};

/** The script that makes a shell complete the program's commands, options and choices, and files elsewhere. */
export function completionScript(shell: Shell, program: Command): string {
  const places = placesOf(program, '');
  // Without a command's name it is the default one that runs.
  const [root, ...others] = places;
  const run = others.find(({ at }) => at === '/run');
  const whole = root === undefined ? [] : [{ ...root, flags: [...root.flags, ...(run?.flags ?? [])] }];
  return writers[shell](program.name(), [...whole, ...others]);
}

const writers: Readonly<Record<Shell, (name: string, places: readonly Place[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

function placesOf(command: Command, at: string): readonly Place[] {
  const below = command.commands.filter((one) => one.name() !== 'help');
  const own: Place = {
    at,
    commands: below.map((one) => ({ word: one.name(), about: aboutOf(one.description()) })),
    flags: command.options.flatMap(flagOf),
  };
  return [own, ...below.flatMap((one) => placesOf(one, `${at}/${one.name()}`))];
}

function flagOf(option: Option): Place['flags'] {
  const { long, description, argChoices, required, optional } = option;
  if (long === undefined || long === null || option.hidden) return [];
  const choices = required || optional ? (argChoices ?? []) : null;
  return [{ word: long, about: aboutOf(description), choices }];
}

/** So much of a description fits a line beside the word. */
const aboutMax = 70;

function aboutOf(description: string): string {
  return description.length <= aboutMax ? description : `${description.slice(0, aboutMax - 1).trimEnd()}…`;
}

/** Those that are reached by a command's name. */
function reached(places: readonly Place[]): readonly string[] {
  return places.map(({ at }) => at).filter((at) => at !== '');
}

function bashScript(name: string, places: readonly Place[]): string {
  const choices = places.flatMap(({ at, flags }) =>
    flags.flatMap((flag) =>
      (flag.choices?.length ?? 0) === 0
        ? []
        : [`    '${at} ${flag.word}') offered='${flag.choices?.join(' ')}' ;;`],
    ),
  );
  const words = places.flatMap(({ at, commands, flags }) => [
    `    '${at} -') offered='${flags.map(({ word }) => word).join(' ')}' ;;`,
    `    '${at} ') offered='${commands.map(({ word }) => word).join(' ')}' ;;`,
  ]);
  return `# source <(${name} completions bash)
_${name}() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} at='' offered='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at/$word" in
    ${reached(places).join(' | ')}) at+="/$word" ;;
    esac
  done
  local begun=''
  [[ $current == -* ]] && begun='-'
  case "$at $before" in
${choices.join('\n')}
    *)
    case "$at $begun" in
${words.join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$offered" -- "$current"))
}
complete -o bashdefault -o default -F _${name} ${name}
`;
}

function zshScript(name: string, places: readonly Place[]): string {
  const choices = places.flatMap(({ at, flags }) =>
    flags.flatMap((flag) =>
      (flag.choices?.length ?? 0) === 0
        ? []
        : [`    (${quoted(`${at} ${flag.word}`)}) compadd -- ${flag.choices?.join(' ')}; return ;;`],
    ),
  );
  const shown = ({ word, about }: Offered): string => quoted(`${word}:${about}`);
  const words = places.flatMap(({ at, commands, flags }) => [
    `    (${quoted(`${at} -`)}) offered=(${flags.map(shown).join(' ')}) ;;`,
    `    (${quoted(`${at} `)}) offered=(${commands.map(shown).join(' ')}) ;;`,
  ]);
  return `#compdef ${name}
# source <(${name} completions zsh)
_${name}() {
  local at='' begun='' word
  local -a offered
  for word in \${words[2,CURRENT-1]}; do
    case "$at/$word" in
    (${reached(places).join('|')}) at+="/$word" ;;
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${choices.join('\n')}
  esac
  [[ \${words[CURRENT]} == -* ]] && begun='-'
  case "$at $begun" in
${words.join('\n')}
  esac
  if (( \${#offered} )); then _describe -o ${name} offered; else _files; fi
}
compdef _${name} ${name}
`;
}

function fishScript(name: string, places: readonly Place[]): string {
  const lines = places.flatMap(({ at, commands, flags }) => {
    const here = `complete -c ${name} -n 'test "$(__${name}_at)" = "${at}"'`;
    return [
      ...commands.map(({ word, about }) => `${here} -f -a ${word} -d ${quoted(about)}`),
      ...flags.map(({ word, about, choices }) => {
        const follows = choices === null ? '' : ' -r';
        const offered = choices === null || choices.length === 0 ? '' : ` -f -a ${quoted(choices.join(' '))}`;
        return `${here} -l ${word.replace(/^--/, '')}${follows}${offered} -d ${quoted(about)}`;
      }),
    ];
  });
  return `# ${name} completions fish | source
function __${name}_at
  set -l at ''
  for word in (commandline -opc)[2..-1]
    switch "$at/$word"
      case ${reached(places).join(' ')}
        set at "$at/$word"
    end
  end
  echo $at
end
${lines.join('\n')}
`;
}

/** A word as these shells read it, whatever it holds. */
function quoted(text: string): string {
  return `'${text.replaceAll(`'`, `’`).replaceAll('\\', '/')}'`;
}
