import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, statSync, writeSync } from "node:fs";
import type { AddressInfo, Server as TcpServer, Socket } from "node:net";
import { connect as connectTcp } from "node:net";
import type { AuthContext, Connection, ServerChannel, Session, SFTPWrapper } from "ssh2";
import { Server, utils } from "ssh2";
import { makeKeyPair } from "./ssh-keys";

export interface SshServerOptions {
  /** Environment variables that clients may set (`AcceptEnv`). */
  readonly acceptEnv?: readonly string[];
  readonly password?: string;
}

/**
 * A real SSH server for tests, on a free port of 127.0.0.1: commands run with the machine's `sh`,
 * SFTP writes into the machine's file system, direct TCP forwarding works.
 */
export class SshServer {
  readonly hostKey = makeKeyPair();
  readonly clientKey = makeKeyPair();
  readonly commands: string[] = [];
  connects = 0;
  logins = 0;
  private readonly open = new Set<Socket>();
  private readonly server: Server;

  constructor(private readonly options: SshServerOptions = {}) {
    this.server = new Server({ hostKeys: [this.hostKey.private] }, (client) => {
      this.serve(client);
    });
    // The documented class hides its TCP server; without this every small packet waits 40 ms.
    const tcp = (this.server as unknown as { _srv: TcpServer })._srv;
    tcp.on("connection", (socket: Socket) => {
      this.connects += 1;
      socket.setNoDelay(true);
      this.open.add(socket);
      socket.on("close", () => this.open.delete(socket));
    });
  }

  static async start(options: SshServerOptions = {}): Promise<SshServer> {
    const server = new SshServer(options);
    await new Promise<void>((ready) => server.server.listen(0, "127.0.0.1", ready));
    return server;
  }

  /** Connection settings for this server, as `@pulumi/command` takes them. */
  connection(): { host: string; port: number; user: string; privateKey: string; hostKey: string } {
    const { port } = this.server.address() as AddressInfo;
    const { private: privateKey } = this.clientKey;
    return { host: "127.0.0.1", port, user: "root", privateKey, hostKey: this.hostKey.public };
  }

  /** Connections that clients have open now. */
  get connections(): number {
    return this.open.size;
  }

  async stop(): Promise<void> {
    for (const socket of this.open) socket.destroy();
    await new Promise<void>((done) =>
      this.server.close(() => {
        done();
      }),
    );
  }

  private serve(client: Connection): void {
    client.on("error", () => undefined);
    client.on("authentication", (context) => {
      if (this.isAllowed(context)) context.accept();
      else context.reject(["publickey", "password"]);
    });
    client.on("ready", () => {
      this.logins += 1;
    });
    client.on("session", (accept) => {
      this.serveSession(accept());
    });
    client.on("tcpip", (accept, _reject, { destIP, destPort }) => {
      const channel = accept();
      const socket = connectTcp({ host: destIP, port: destPort });
      socket.setNoDelay(true);
      socket.on("error", () => channel.end());
      channel.pipe(socket).pipe(channel);
    });
  }

  private isAllowed(context: AuthContext): boolean {
    if (context.method === "password") return context.password === this.options.password;
    if (context.method !== "publickey") return false;
    const key = utils.parseKey(this.clientKey.public);
    if (key instanceof Error || !context.key.data.equals(key.getPublicSSH())) return false;
    if (context.signature === undefined || context.blob === undefined) return true;
    return key.verify(context.blob, context.signature, context.hashAlgo);
  }

  private serveSession(session: Session): void {
    const env: Record<string, string> = {};
    session.on(
      "env",
      (accept: (() => void) | undefined, reject: (() => void) | undefined, info) => {
        if (this.options.acceptEnv?.includes(info.key) === true) {
          env[info.key] = info.val;
          accept?.();
        } else reject?.();
      },
    );
    session.on("exec", (accept, _reject, { command }) => {
      this.commands.push(command);
      run(accept(), command, { PATH: process.env["PATH"] ?? "/usr/bin:/bin", ...env });
    });
    session.on("sftp", (accept) => {
      serveWrites(accept());
    });
  }
}

function run(channel: ServerChannel, command: string, env: NodeJS.ProcessEnv): void {
  const child = spawn("sh", ["-c", command], { env });
  child.stdin.on("error", () => undefined);
  channel.on("error", () => undefined);
  channel.on("close", () => child.kill("SIGKILL"));
  channel.pipe(child.stdin);
  child.stdout.on("data", (data: Buffer) => channel.write(data));
  child.stderr.on("data", (data: Buffer) => channel.stderr.write(data));
  child.on("close", (code, signal) => {
    if (signal === null) channel.exit(code ?? 1);
    else channel.exit(signal.replace("SIG", ""), false, "");
    channel.end();
  });
}

/** The part of SFTP version 3 (draft-ietf-secsh-filexfer-02) that a copy to the server needs. */
function serveWrites(sftp: SFTPWrapper): void {
  const { STATUS_CODE } = utils.sftp;
  const answer = (id: number, work: () => void): void => {
    try {
      work();
    } catch (error) {
      // As OpenSSH's server maps them (errno_to_portable in sftp-server.c).
      const missing = ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");
      sftp.status(id, missing ? STATUS_CODE.NO_SUCH_FILE : STATUS_CODE.FAILURE);
    }
  };
  const done = (id: number): void => {
    sftp.status(id, STATUS_CODE.OK);
  };
  sftp.on("STAT", (id, path) => {
    answer(id, () => {
      const { mode, size, uid, gid } = statSync(path);
      sftp.attrs(id, { mode, size, uid, gid, atime: 0, mtime: 0 });
    });
  });
  sftp.on("MKDIR", (id, path) => {
    answer(id, () => {
      mkdirSync(path);
      done(id);
    });
  });
  sftp.on("OPEN", (id, path) => {
    answer(id, () => {
      const handle = Buffer.alloc(4);
      handle.writeUInt32BE(openSync(path, "w"));
      sftp.handle(id, handle);
    });
  });
  sftp.on("WRITE", (id, handle, offset, data) => {
    answer(id, () => {
      writeSync(handle.readUInt32BE(), data, 0, data.length, offset);
      done(id);
    });
  });
  sftp.on("FSETSTAT", (id) => {
    done(id);
  });
  sftp.on("CLOSE", (id, handle) => {
    answer(id, () => {
      closeSync(handle.readUInt32BE());
      done(id);
    });
  });
}
