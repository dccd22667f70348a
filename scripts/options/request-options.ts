import { type Command, Option } from 'commander';
import { requestMethods } from '../../contract/request-template.ts';

/** How a command asks that is told of one request by flags: by which method, and with which body. */
export function addRequestOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--method <method>', 'HTTP method of the requests').choices(requestMethods).default('GET'),
    )
    .option('--body <text>', 'body of each request')
    .option('--content-type <type>', 'type of the body', 'application/json');
}
