import { execFile } from 'node:child_process';

type Said = { readonly code: number; readonly stdout: string; readonly stderr: string };

type Around = { readonly cwd: string; readonly env: Readonly<Record<string, string>> };

/** Runs a script as GitHub's runner runs a step with `shell: bash`. */
export function bash(script: string, around: Around): Promise<Said> {
  return new Promise((resolve) => {
    execFile(
      'bash',
      ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', script],
      around,
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
      },
    );
  });
}
