// @nestjs/throttler in NestJS on Express. As it comes, the first refused request begins a block of one window.
import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import { answer } from '../guarded.mjs';

export function build({ limit, windowMs }) {
  return served({ limit, ttl: windowMs });
}

/** A Nest application that throttles as given. */
export async function served(throttler) {
  class Media {
    media() {
      return answer;
    }
  }
  Controller()(Media);
  Get('v1/media')(Media.prototype, 'media', Object.getOwnPropertyDescriptor(Media.prototype, 'media'));
  class App {}
  Module({
    imports: [
      ThrottlerModule.forRoot({
        throttlers: [throttler],
        getTracker: ({ headers }) => headers.authorization ?? '',
      }),
    ],
    controllers: [Media],
    providers: [{ provide: APP_GUARD, useClass: ThrottlerGuard }],
  })(App);
  const app = await NestFactory.create(App, { logger: ['error'] });
  await app.init();
  return app.getHttpAdapter().getInstance();
}
