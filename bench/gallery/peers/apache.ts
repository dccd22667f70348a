import { debianVersion } from '../debian.ts';
import { limitedPath, type Peer, plainRequest, successBody } from '../peer.ts';
import { ruleOf } from '../rule.ts';
import { startInFolder } from '../temporary-server.ts';
import { truthOf } from '../truth.ts';

const modules = '/usr/lib/apache2/modules';

/** Apache with mod_evasive, in one process because each process counts for itself. It counts per address, not per key. */
export const apacheEvasive: Peer = {
  library: 'Apache',
  origin: 'Debian',
  setting: 'mod_evasive',
  rule: ruleOf(30, 45),
  truth: truthOf(
    'block prolonged by retries',
    'mod_evasive20.c, access_checker: each refused request begins the block anew',
    {
      rejections: 'prolong the block',
    },
  ),
  version: () => debianVersion('apache2'),
  refusal: 403,
  request: plainRequest,
  start: ({ rule: { limit, windowMs } }) =>
    startInFolder(({ folder, port }) => ({
      files: {
        'apache.conf': configuration({ folder, port, limit, seconds: windowMs / 1_000 }),
        'answer.json': JSON.stringify(successBody),
      },
      program: { command: 'apache2', args: ['-X', '-d', folder, '-f', `${folder}/apache.conf`] },
    })),
};

type Configured = {
  readonly folder: string;
  readonly port: number;
  readonly limit: number;
  readonly seconds: number;
};

function configuration({ folder, port, limit, seconds }: Configured): string {
  return `
LoadModule mpm_event_module ${modules}/mod_mpm_event.so
LoadModule authz_core_module ${modules}/mod_authz_core.so
LoadModule alias_module ${modules}/mod_alias.so
LoadModule mime_module ${modules}/mod_mime.so
LoadModule evasive20_module ${modules}/mod_evasive20.so
User www-data
Group www-data
ServerName 127.0.0.1
Listen 127.0.0.1:${port}
PidFile ${folder}/apache.pid
DefaultRuntimeDir ${folder}
ErrorLog ${folder}/error.log
TypesConfig /dev/null
AddType application/json .json
StartServers 1
ServerLimit 1
ThreadsPerChild 64
MaxRequestWorkers 64
KeepAliveTimeout 600
MaxKeepAliveRequests 0
Alias ${limitedPath} ${folder}/answer.json
<Directory ${folder}>
  Require all granted
</Directory>
DOSHashTableSize 3097
DOSPageCount ${limit - 1}
DOSPageInterval ${seconds}
DOSSiteCount 1000000
DOSSiteInterval 1
DOSBlockingPeriod ${seconds}
DOSLogDir ${folder}
`;
}
